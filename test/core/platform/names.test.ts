import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confusables, confusablesVersion } from '#core/platform/names/confusables.ts';
import { lookAlikeLetters, looksAlike, skeleton } from '#core/platform/names/skeleton.ts';

describe('the skeleton of a name (UTS #39)', () => {
  test('uses the complete table of its version', () => {
    const letters = confusables
      .trim()
      .split(/\s+/)
      .flatMap((word) => (word.split(':')[1] ?? '').split(','));
    expect([confusablesVersion, letters.length, new Set(letters).size]).toEqual(['17.0', 6565, 6565]);
  });

  test.each([
    ['paypal', 'раураl'],
    ['scope', 'ѕсоре'],
    ['l', '1'],
    ['l', 'I'],
    ['l', '|'],
    ['O', '0'],
    ['rn', 'm'],
    ['æ', 'ae'],
    ['g', 'ɡ'],
    ['!', 'ǃ'],
    ['é', 'e\u0301'],
    ['ab', 'a\u200bb'],
    ['ab', 'a\u202eb'],
    ['ab', 'a\u{e0061}b'],
  ])('is equal for %s and %s', (one, other) => {
    expect(skeleton(one)).toBe(skeleton(other));
  });

  test.each([
    ['a', 'b'],
    ['i', 'l'],
    ['e', 'é'],
    ['日', '曰本'],
  ])('differs for %s and %s', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other));
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 12 });

  test('does not depend on the Unicode composition of the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(skeleton(text.normalize('NFC'))).toBe(skeleton(text.normalize('NFD')));
        expect(looksAlike(text, text)).toBe(true);
      }),
    );
  });

  test('two names look alike in either order', () => {
    const letter = fc.constantFrom(...Array.from('aAlI1|oO0мmrnɡgсc \u200b-'));
    const name = fc.string({ unit: letter, maxLength: 5 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(looksAlike(one, other)).toBe(looksAlike(other, one));
      }),
    );
  });
});

test.each([
  ['Claude', []],
  ['Zoë', []],
  ['クロード', []],
  ['Cøder', ['ø']],
  ['ɡemini', ['ɡ']],
])('the letters of %s that resemble plain letters are %j', (name, letters) => {
  expect(lookAlikeLetters(name)).toEqual(letters);
});
