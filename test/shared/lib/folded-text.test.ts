import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedText, isSameName } from '#shared/lib/folded-text.ts';
import { runs } from '#test/setup/property-runs.ts';

test.each<[text: string, wanted: string]>([
  ['İSTANBUL', 'istanbul'],
  ['ısparta', 'ISPARTA'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'straße'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'CAFÉ'],
  ['Köln', 'koln'],
  ['Ångström', 'angstrom'],
  ['ΟΔΟΣ', 'οδος'],
  ['ｆｕｌｌ', 'full'],
  ['ﬁne', 'fine'],
  ['Đ\u00A0x', 'đ x'],
])('%s is found by %s, and vice versa', (text, wanted) => {
  expect(foldedText(text)).toBe(foldedText(wanted));
});

test('a text contains itself in any case and never folds to nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const folded = foldedText(text);
      expect(folded).not.toBe('');
      expect(foldedText(folded)).toBe(folded);
      expect(foldedText(text.normalize('NFD'))).toBe(folded);
      expect(foldedText(text.normalize('NFC'))).toBe(folded);
    }),
    runs(500),
  );
});

test('names that differ in their accents are different names', () => {
  expect(isSameName('Été', ' éTÉ')).toBe(true);
  expect(isSameName('Été', 'Ete')).toBe(false);
});
