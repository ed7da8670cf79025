import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textMatcher } from '#shared/find/index.ts';
import { campaignRow } from '#test/renderer/support/campaign-row.ts';
import { runs } from '#test/setup/property-runs.ts';

const labels = new Map([
  ['l1', 'Client Ärmel'],
  ['l2', 'Q4'],
]);
const subject = {
  row: {
    ...campaignRow(1207),
    name: 'Summer Straße sale 2026',
    type_name: 'CPC Push',
    geo: ['BR', 'gb', 'US'],
  },
  labels: ['l1'],
};

const finds = (query: string): boolean => textMatcher(query, labels)(subject);

describe('the text of a search', () => {
  test.each([
    ['', 'everything'],
    ['sale summer', 'words of the name in any order'],
    ['umm strasse', 'parts of the name, without case and marks'],
    ['push brazil', 'type and country'],
    ['Brazil  PUSH sale', 'all three'],
    ['bra', 'the beginning of a country'],
    ['br', 'the code of a country'],
    ['uk', 'another name of a country'],
    ['united kingdom', 'a country of two words'],
    ['armel', 'a label'],
    ['client push', 'label and type'],
    ['1207', 'the exact ID'],
    [' 1207 ', 'the exact ID between spaces'],
    ['summer 2026', 'a number beside a word'],
  ])('“%s” finds %s', (query) => expect(finds(query)).toBe(true));

  test.each([
    ['push germany', 'a country that is not targeted'],
    ['q4', 'a label that is not attached'],
    ['ush', 'the middle of a type'],
    ['azil', 'the middle of a country'],
    ['120', 'a part of the ID'],
    ['2026', 'a number alone that is no ID'],
  ])('“%s” does not find %s', (query) => expect(finds(query)).toBe(false));

  test('finds fewer campaigns with each word, in any order', () => {
    const words = fc.array(fc.constantFrom('sale', 'push', 'bra', 'uk', 'client', 'none', 'germany'), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(words, ([first = '', ...others]) => {
        const both = finds([first, ...others].join(' '));
        expect(finds([...others, first].join(' '))).toBe(both);
        expect(both).toBe(finds(first) && finds(others.join(' ')));
      }),
      runs(200),
    );
  });
});
