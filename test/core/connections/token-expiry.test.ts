import { expect, test } from 'vitest';
import fc from 'fast-check';
import { tokenExpiry } from '#core/connections/pasted-credential.ts';

function token(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(claims)}.c2lnbmF0dXJl`;
}

test.each<[string, string, number | null]>([
  ['a token that says when it ends', token({ exp: 1_800_000_000 }), 1_800_000_000_000],
  ['one that ends between two seconds', token({ exp: 1_800_000_000.5 }), 1_800_000_000_500],
  ['one that says nothing', token({ sub: '7' }), null],
  ['one that says it in words', token({ exp: 'tomorrow' }), null],
  ['one that ends before time began', token({ exp: -1 }), null],
  ['one that ends beyond any calendar', token({ exp: 1e300 }), null],
  ['one without claims', token(null), null],
  ['one whose claims are a list', token([{ exp: 1 }]), null],
  ['one whose claims are no JSON', `e30.${Buffer.from('{exp').toString('base64url')}.x`, null],
  ['one with a part too many', `${token({ exp: 1_800_000_000 })}.x`, null],
  ['an opaque one', 'MDEyMzQ1Njc4OQ', null],
  ['nothing', '', null],
])('of %s', (_name, text, expiry) => {
  expect(tokenExpiry(text)).toBe(expiry);
});

test('whatever is pasted, reading when it ends does not fail', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.base64String()).map((parts) => parts.join('.')),
      ),
      (text) => {
        expect(() => tokenExpiry(text)).not.toThrow();
      },
    ),
  );
});
