import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareLists,
  fewNames,
  isCodesWithSpaces,
  listForm,
  optionsOf,
  unseenMembers,
  withAdded,
  withoutDuplicates,
} from '#renderer/features/editor/lists/list-values.ts';
import { draftOfMembers } from '#shared/drafts/index.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const seen = {
  campaigns: 2,
  macros: [],
  lists: {
    os: [
      { value: 'Android', campaigns: 2 },
      { value: 'iOS', campaigns: 1 },
    ],
    publisher_blocklist: [{ value: 1234, campaigns: 1 }],
  },
};

describe('the form of a list', () => {
  test('countries are read by name or code, and shown by name', () => {
    const form = listForm('geo', ['DE'], null);
    expect(form.read('brazil')).toBe('BR');
    expect(form.labelOf('DE')).toBe('Germany (DE)');
    expect(isCodesWithSpaces('DE AT  ch')).toBe(true);
    expect(isCodesWithSpaces('South Africa')).toBe(false);
  });

  test('a list of numbers takes numbers only; an empty one is judged by other campaigns', () => {
    expect(listForm('publisher_blocklist', [7], null).read('x9')).toBeNull();
    expect(listForm('publisher_blocklist', [], seen).read('4321')).toBe(4321);
    expect(listForm('unknown_list', [], seen).read('4321')).toBe('4321');
  });

  test('spaces divide entries unless the entries have some', () => {
    expect(listForm('domain_blocklist', ['a.example'], null).spaces).toBe(true);
    expect(listForm('carrier_allowlist', [], null).spaces).toBe(false);
    expect(listForm('os', [], null).spaces).toBe(false);
  });
});

test('the values of other campaigns come first, with how many have them', () => {
  expect(optionsOf('os', ['HarmonyOS'], seen, usualFormats)).toEqual([
    { value: 'Android', label: 'Android', note: '2 campaigns' },
    { value: 'iOS', label: 'iOS', note: '1 campaign' },
    { value: 'HarmonyOS', label: 'HarmonyOS', note: undefined },
  ]);
});

test('a value is unseen when neither this campaign nor another one has it', () => {
  expect(unseenMembers('os', { stored: ['Tizen'], members: ['Tizen', 'iOS', 'Andriod'], seen })).toEqual([
    'Andriod',
  ]);
});

test('a few entries are named, and the rest of a long list is counted', () => {
  const entries = Array.from({ length: 20_000 }, (_, at) => `carrier ${at}`);
  expect(fewNames(entries.slice(0, 2), usualFormats)).toBe('carrier 0, carrier 1');
  expect(fewNames(entries, usualFormats)).toBe(
    'carrier 0, carrier 1, carrier 2, carrier 3, carrier 4 and 19,995 more',
  );
  expect(fewNames(['x'.repeat(5_000)], usualFormats).length).toBeLessThan(120);
});

test('duplicates are told by their text, in any case, and the first stays', () => {
  expect(withoutDuplicates('domain_blocklist', ['a.example', 'A.example ', 1, '1', 'b.example'])).toEqual([
    'a.example',
    1,
    'b.example',
  ]);
});

test('two lists are compared by what only one of them has', () => {
  expect(compareLists('domain_blocklist', ['a', 'B', 3], ['b', '3', 'd'])).toEqual({
    onlyHere: ['a'],
    onlyThere: ['d'],
    both: ['B', 3],
  });
});

describe('entries are added to a list', () => {
  const cases = [
    ['at the end', ['a', 'b'], ['c'], ['a', 'b', 'c']],
    ['each once, in whatever spelling', ['a', 'b'], ['A', 'c', 'C'], ['a', 'b', 'c']],
    ['a removed one in its place', ['a', 'c', 'new'], ['b'], ['a', 'b', 'c', 'new']],
    ['a removed one as it was stored', ['a', 'c'], [' B'], ['a', 'b', 'c']],
    ['the last one before what is new', ['a', 'b', 'new'], ['c'], ['a', 'b', 'c', 'new']],
    ['all of an emptied list', [], ['c', 'new', 'a', 'b'], ['a', 'b', 'c', 'new']],
  ] as const;
  test.each(cases)('%s', (_name, members, added, result) => {
    expect(withAdded('domain_blocklist', members, added, ['a', 'b', 'c'])).toEqual(result);
  });

  test('and an entry that returns takes its removal back', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1 }),
        fc.array(fc.boolean()),
        (stored, removals) => {
          const kept = stored.filter((_, at) => removals[at] !== true);
          const drafted = { field: 'publisher_blocklist', stored, draft: undefined };
          expect(
            draftOfMembers(drafted, withAdded('publisher_blocklist', kept, stored.toReversed(), stored)),
          ).toBeNull();
        },
      ),
    );
  });
});
