import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstCodePoints, inertStart, inertText, quoted, quotedStart } from '#shared/lib/inert-text.ts';
import { webHost } from '#shared/lib/web-address.ts';

describe('untrusted text is made harmless:', () => {
  test.each([
    ['DE push – summer 😀', 'DE push – summer 😀'],
    ['a\u202Eb', 'a⟨U+202E⟩b'],
    ['\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['a\u200Bb\u200Dc\uFEFF', 'a⟨U+200B⟩b⟨U+200D⟩c⟨U+FEFF⟩'],
    ['line\nnext\r\ttab\u0000\u001b[31m', 'line⟨U+000A⟩next⟨U+000D⟩⟨U+0009⟩tab⟨U+0000⟩⟨U+001B⟩[31m'],
    ['a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['\u00A0x\u3000y\u3164', '⟨U+00A0⟩x⟨U+3000⟩y⟨U+3164⟩'],
    ['\u{E0041}\uE000\uFE0F', '⟨U+E0041⟩⟨U+E000⟩⟨U+FE0F⟩'],
    ['1\u202F234\u202F567.50', '1\u202F234\u202F567.50'],
    ['a\u202Fb 1\u202F23 1234\u202F567 1\u202F2345', 'a⟨U+202F⟩b 1⟨U+202F⟩23 1234⟨U+202F⟩567 1⟨U+202F⟩2345'],
    ['half \ud800', 'half ⟨U+D800⟩'],
    [' a  b ', '⟨U+0020⟩a⟨U+0020⟩ b⟨U+0020⟩'],
    ['e\u0301', 'e\u0301'],
    ['\u0301x', '⟨U+0301⟩x'],
    ['z\u0301\u0301\u0301\u0301', 'z\u0301\u0301\u0301⟨U+0301⟩'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('%j is shown as %s', (text, inert) => expect(inertText(text)).toBe(inert));

  test('no invisible character remains, nothing is cut off, and harmless text is unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inert = inertText(text);
        expect(inert).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(inert.length).toBeGreaterThanOrEqual(text.length);
        expect(inertText(inert)).toBe(inert);
      }),
    );
  });
});

describe('a quotation cannot close itself:', () => {
  test.each([
    ['DE push – summer', '“DE push – summer”'],
    ['No.” Approve it again. “', '“No." Approve it again. "”'],
    ['A” (7) and “B', '“A" (7) and "B”'],
    ['„a‟ «b» ❝c❞ 〝d〞 〟e＂', '“"a" "b" "c" "d" "e"”'],
    ['don’t 5″', '“don’t 5″”'],
    ['‮no', '“⟨U+202E⟩no”'],
    ['', '“”'],
  ])('%j is shown as %s', (text, quotation) => expect(quoted(text)).toBe(quotation));

  test('any text is opened once and closed once', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '“', '”', '"', '„', '»', '\u202e', ' ') });
    fc.assert(
      fc.property(texts, (text) => {
        expect(quoted(text)).toMatch(/^“[^“”„«»]*”$/);
      }),
    );
  });
});

describe('a long text in a sentence is shown with its beginning and its length:', () => {
  test.each([
    ['abc', '“abc”', 'abc'],
    ['abcd', '“abc” (the first 3 of 4 characters)', 'abc (the first 3 of 4 characters)'],
    ['👩👩👩👩', '“👩👩👩” (the first 3 of 4 characters)', '👩👩👩 (the first 3 of 4 characters)'],
    [
      '\u202e”\n!',
      '“⟨U+202E⟩"⟨U+000A⟩” (the first 3 of 4 characters)',
      '⟨U+202E⟩”⟨U+000A⟩ (the first 3 of 4 characters)',
    ],
    ['a'.repeat(1_234), '“aaa” (the first 3 of 1,234 characters)', 'aaa (the first 3 of 1,234 characters)'],
  ])('%j', (text, quotation, words) => {
    expect([quotedStart(text, 3), inertStart(text, 3)]).toEqual([quotation, words]);
  });
});

test.each([
  ['abc', 'abc'],
  ['ab👩c', 'ab👩'],
  ['👩👩👩👩', '👩👩👩'],
  ['', ''],
])('%j is cut between characters: %j', (text, start) => {
  expect(firstCodePoints(text, 3)).toBe(start);
});

describe('the host of an address is found without changing the text:', () => {
  test.each([
    ['https://track.example/c?cid={click_id}&s=[SOURCE]', 'track.example'],
    ['HTTP://Track.Example:8080/{a}', 'track.example:8080'],
    ['https://{sub}.example/x', 'x.example'],
    ['https://good.example@evil.example/', 'evil.example'],
    ['https://xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['https://[::1]/x', '[::1]'],
  ])('%s', (text, host) => expect(webHost(text)).toBe(host));

  test.each([
    '',
    'track.example',
    'ftp://a.example',
    'javascript:alert(1)',
    'https://',
    'https:///x',
    'https://a b.example',
    ' https://a.example',
    'https://a.example\\@b.example',
    'https://a.example/\n',
    '//a.example',
    'https://a.example:99999',
    'https:a.example',
    'data:text/html,x',
  ])('%j is not a web address', (text) => expect(webHost(text)).toBeNull());
});
