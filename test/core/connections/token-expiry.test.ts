import { expect, test } from 'vitest';
import fc from 'fast-check';
import { tokenExpiry } from '#core/connections/pasted-credential.ts';

function token(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(claims)}.c2lnbmF0dXJl`;
}

test.each<[string, string, number | null]>([
  ['a token that states its expiry', token({ exp: 1_800_000_000 }), 1_800_000_000_000],
  ['a token that expires between two seconds', token({ exp: 1_800_000_000.5 }), 1_800_000_000_500],
  ['a token without an expiry', token({ sub: '7' }), null],
  ['a token with an expiry in words', token({ exp: 'tomorrow' }), null],
  ['a token that expires before 1970', token({ exp: -1 }), null],
  ['a token that expires beyond the calendar', token({ exp: 1e300 }), null],
  ['one without claims', token(null), null],
  ['a token whose claims are a list', token([{ exp: 1 }]), null],
  ['a token whose claims are not JSON', `e30.${Buffer.from('{exp').toString('base64url')}.x`, null],
  ['a token with too many parts', `${token({ exp: 1_800_000_000 })}.x`, null],
  ['an opaque one', 'MDEyMzQ1Njc4OQ', null],
  ['nothing', '', null],
])('the expiry is read from %s', (_name, text, expiry) => {
  expect(tokenExpiry(text)).toBe(expiry);
});

test('reading the expiry never fails, whatever is pasted', () => {
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
