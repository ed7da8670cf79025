import { expect, test } from 'vitest';
import { filterFields, listFields } from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { sampleCampaign } from '#shared/training/corpus/index.ts';

test.each<[title: string, field: string, value: JsonValue, isList: boolean, isFilter: boolean]>([
  ['a list of the contract', 'geo', ['DE'], true, false],
  ['an empty list of the contract', 'os', [], true, false],
  ['keywords, which are text', 'keywords_blocklist', 'casino', true, false],
  ['keywords, also without one', 'keywords_whitelist', '', true, false],
  ['the switch of the keywords', 'keywords_enabled', 1, false, false],
  ['a filter whose name says that it is a list', 'publisher_blocklist', [7], true, true],
  ['a filter whose name says nothing', 'zones', ['a', 7], true, true],
  ['an empty array whose name says nothing', 'zones', [], true, true],
  ['a text whose name says that it is a list', 'ssp_exclude', 'a\nb', true, true],
  ['a text whose name says nothing', 'remark', 'a, b', false, false],
  ['an array of objects', 'zones', [{ id: 1 }], false, false],
  ['the weekly schedule', 'shedule', [0, 1], false, false],
  ['bid controls, also without one', 'bidControl', [], false, false],
  ['a name', 'name', 'a, b', false, false],
])('lists are recognised in the editor: %s', (_title, field, value, isList, isFilter) => {
  const campaign = { ...sampleCampaign, [field]: value };
  expect(listFields(campaign).includes(field)).toBe(isList);
  expect(filterFields(campaign).includes(field)).toBe(isFilter);
});
