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
import { defaultFormats } from '#shared/lib/formats.ts';

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

  test('a list of numbers accepts numbers only; the form of an empty list follows other campaigns', () => {
    expect(listForm('publisher_blocklist', [7], null).read('x9')).toBeNull();
    expect(listForm('publisher_blocklist', [], seen).read('4321')).toBe(4321);
    expect(listForm('unknown_list', [], seen).read('4321')).toBe('4321');
  });

  test('spaces separate entries unless the entries contain spaces', () => {
    expect(listForm('domain_blocklist', ['a.example'], null).spaces).toBe(true);
    expect(listForm('carrier_allowlist', [], null).spaces).toBe(false);
    expect(listForm('os', [], null).spaces).toBe(false);
  });
});

test('the values of other campaigns come first, with the number of campaigns that have them', () => {
  expect(optionsOf('os', ['HarmonyOS'], seen, defaultFormats)).toEqual([
    { value: 'Android', label: 'Android', note: '2 campaigns' },
    { value: 'iOS', label: 'iOS', note: '1 campaign' },
    { value: 'HarmonyOS', label: 'HarmonyOS', note: undefined },
  ]);
});

test('a value is unseen if neither this campaign nor any other campaign has it', () => {
  expect(unseenMembers('os', { stored: ['Tizen'], members: ['Tizen', 'iOS', 'Andriod'], seen })).toEqual([
    'Andriod',
  ]);
});

test('a few entries are named, and the rest of a long list is counted', () => {
  const entries = Array.from({ length: 20_000 }, (_, at) => `carrier ${at}`);
  expect(fewNames(entries.slice(0, 2), defaultFormats)).toBe('carrier 0, carrier 1');
  expect(fewNames(entries, defaultFormats)).toBe(
    'carrier 0, carrier 1, carrier 2, carrier 3, carrier 4 and 19,995 more',
  );
  expect(fewNames(['x'.repeat(5_000)], defaultFormats).length).toBeLessThan(120);
});

test('duplicates are found without regard to case, and the first entry stays', () => {
  expect(withoutDuplicates('domain_blocklist', ['a.example', 'A.example ', 1, '1', 'b.example'])).toEqual([
    'a.example',
    1,
    'b.example',
  ]);
});

test('a comparison of two lists names the entries that only one list has', () => {
  expect(compareLists('domain_blocklist', ['a', 'B', 3], ['b', '3', 'd'])).toEqual({
    onlyHere: ['a'],
    onlyThere: ['d'],
    both: ['B', 3],
  });
});

describe('entries are added to a list', () => {
  const cases = [
    ['at the end', ['a', 'b'], ['c'], ['a', 'b', 'c']],
    ['each once, in any case', ['a', 'b'], ['A', 'c', 'C'], ['a', 'b', 'c']],
    ['at their old position if they were removed', ['a', 'c', 'new'], ['b'], ['a', 'b', 'c', 'new']],
    ['in their stored spelling if they were removed', ['a', 'c'], [' B'], ['a', 'b', 'c']],
    [
      'before new entries if the last stored entry was removed',
      ['a', 'b', 'new'],
      ['c'],
      ['a', 'b', 'c', 'new'],
    ],
    ['all of an emptied list', [], ['c', 'new', 'a', 'b'], ['a', 'b', 'c', 'new']],
  ] as const;
  test.each(cases)('%s', (_name, members, added, result) => {
    expect(withAdded('domain_blocklist', members, added, ['a', 'b', 'c'])).toEqual(result);
  });

  test('and adding a removed entry cancels its removal', () => {
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
