import { expect, test } from 'vitest';
import {
  conditionKinds,
  kindsMatching,
  kindTitle,
  readAmount,
  readDomain,
  readIdList,
  readIds,
} from '#renderer/features/campaigns/find/condition-kinds.ts';

test.each([
  ['100', 100],
  [' $0.05 ', 0.05],
  ['1,234', null],
  ['1.2k', null],
  ['-5', null],
  ['', null],
])('the amount “%s” is read as %s; an ambiguous amount is rejected', (typed, amount) => {
  expect(readAmount(typed)).toBe(amount);
});

test('ids are found between any separators, without duplicates', () => {
  expect(readIds('101, 102;103\n101 ids: 0')).toEqual([101, 102, 103]);
  expect(readIds('none')).toEqual([]);
});

test.each([
  ['105230, 105229', [105_230, 105_229]],
  ['105230\n105229\n105230\n', [105_230, 105_229]],
  [' 7;8\t9 ', [7, 8, 9]],
  ['105230', null],
  ['105230, 105230', null],
  ['Summer 2026', null],
  ['2026 7 sale', null],
  ['1.5, 2', null],
  ['', null],
])('pasting “%s” into the search searches for the ids %s', (text, ids) => {
  expect(readIdList(text)).toEqual(ids);
});

test.each([
  ['https://Shop.example:8080/a?b#c', 'shop.example'],
  ['shop.example/path', 'shop.example'],
  [' SHOP.example ', 'shop.example'],
  ['', ''],
])('the domain in “%s” is “%s”', (typed, domain) => {
  expect(readDomain(typed)).toBe(domain);
});

test('every kind of condition has one title, and typing narrows the menu without leaving empty groups', () => {
  const entries = conditionKinds.flatMap((group) => group.entries);
  expect(new Set(entries.map(({ kind }) => kind)).size).toBe(entries.length);
  for (const { kind, title } of entries) expect(kindTitle(kind)).toBe(title);
  const matching = kindsMatching(' end ');
  expect(matching.map(({ heading }) => heading)).toEqual(['Slower: reads every campaign']);
  expect(matching.flatMap((group) => group.entries.map(({ kind }) => kind))).toEqual(['endsWithin', 'noEnd']);
  const found = (typed: string) =>
    kindsMatching(typed).flatMap(({ entries }) => entries.map(({ kind }) => kind));
  expect(found('schedule')).toEqual(['runsNow']);
  expect(kindsMatching('nothing like it')).toEqual([]);
});
