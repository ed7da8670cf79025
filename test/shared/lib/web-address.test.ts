import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainAddress } from '#shared/lib/web-address.ts';
import { runs } from '#test/setup/property-runs.ts';

test.each([
  'https://track.example/c?x={click_id}&y=[CLICKID]',
  'http://track.example:8080/',
  'https://TRACK.example/C',
  'https://{host}.example/',
  'https://b\u00fccher.example/',
  'https://example.com/?u=https://me@other.example/',
  'https://127.0.0.1/',
  'https://[::1]:3000/',
])('%s has the same host for every reader', (address) => {
  expect(isPlainAddress(address)).toBe(true);
});

test.each([
  'https://a.example\\@b.example/',
  'https:\\\\a.example/',
  'https://a.example@b.example/',
  'https://@b.example/',
  'https://me:it@example.com/',
  'https://me@b\u00fccher.example/',
  'https://a%2eexample/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://a\uFF0Eexample/',
  'https://\uFF41.example/',
  'https://a\u00ADb.example/',
  'https:///a.example/',
  'https://a.example\t.b.example/',
  'https://[0:0::1]/',
  'ftp://a.example/',
])('%j may lead different readers to different hosts', (address) => {
  expect(isPlainAddress(address)).toBe(false);
});

test('a plain address is opened at the host between its slashes, whatever else it contains', () => {
  const sign = fc.constantFrom(
    'a',
    'B',
    '1',
    '.',
    '-',
    '@',
    ':',
    '%',
    '2',
    'e',
    '\\',
    '[',
    ']',
    '\u00AD',
    '\u3002',
    '\uFF41',
    '_',
    'x',
    '0',
    '?',
    '#',
  );
  fc.assert(
    fc.property(fc.array(sign, { minLength: 1, maxLength: 14 }), (signs) => {
      const address = `https://${signs.join('')}/c`;
      if (!isPlainAddress(address)) return;
      const [, authority = ''] = /^https:\/\/([^/?#]*)/.exec(address) ?? [];
      expect(authority).not.toContain('@');
      const host = authority
        .replaceAll(/\[\w+\]/g, 'x')
        .replace(/:\d*$/, '')
        .toLowerCase();
      expect(new URL(address.replaceAll(/\[\w+\]/g, 'x')).hostname).toBe(host);
    }),
    runs(1_000),
  );
});
