import { expect, test } from 'vitest';
import { draftedValuesInWords, type FieldOperation } from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const context = { types: { 10: { name: 'Native' }, 11: { name: 'CPC Push' } } };
const week = Array.from({ length: 168 }, (_, hour) => (hour < 112 ? 1 : 0));
const set = (value: JsonValue): FieldOperation[] => [{ kind: 'set', value }];

test.each<[field: string, from: JsonValue, operations: FieldOperation[], before: string, after: string]>([
  ['payout', 0.1, [{ kind: 'percent', percent: '10' }], '$0.100', '$0.110'],
  ['name', 'Old', set('New'), 'Old', 'New'],
  ['expire', '2026-12-10', [{ kind: 'shiftDays', days: 3 }], '10 Dec 2026', '13 Dec 2026'],
  ['expire', '', set('2026-12-31'), 'empty', '31 Dec 2026'],
  ['expire', '2026-12-31', set(''), '31 Dec 2026', 'empty'],
  ['geo', ['DE'], [{ kind: 'addMembers', members: ['AT'] }], 'DE', 'DE, AT'],
  ['status', 3, set(1), 'Paused', 'Active'],
  ['type', 10, set(11), 'Native', 'CPC Push'],
  ['t_revenue', 50, set(0), '$50.00', 'Unlimited'],
  ['d_revenue', 2000, [{ kind: 'subtract', amount: '765.5' }], '$2,000.00', '$1,234.50'],
  ['enable_budget', 1, set(0), 'On', 'Off (unlimited)'],
  ['shedule', week, [{ kind: 'removeHours', hours: [0, 1] }], '112 of 168 hours', '110 of 168 hours'],
  ['shedule', week, set([...week].reverse()), '112 of 168 hours', 'set to 112 of 168 hours'],
  // The draft does not fit the value, so its intention is shown.
  [
    'payout',
    null,
    [
      { kind: 'percent', percent: '10' },
      { kind: 'cap', amount: '0.5' },
    ],
    'none',
    '+10%, then at most $0.500',
  ],
  ['geo', null, [{ kind: 'addMembers', members: ['DE', 'AT'] }], 'none', 'add DE, AT'],
  [
    'os',
    null,
    [{ kind: 'removeMembers', members: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    'none',
    'remove 6 entries',
  ],
  ['traffic_speed_counter', null, [{ kind: 'floor', amount: '25000' }], 'none', 'at least 25,000'],
  [
    'name',
    null,
    [{ kind: 'replaceText', find: 'a', replacement: 'b', matchesCase: false }],
    'none',
    'replace “a” with “b”',
  ],
  [
    'bidControl',
    null,
    [{ kind: 'setBidControl', control: {}, member: 'bid', value: 0.05 }],
    'none',
    'bid of one control set to $0.050',
  ],
])('a draft of %s from %j by %j is shown as “%s” and “%s”', (field, from, operations, before, after) => {
  expect(draftedValuesInWords(field, { from, operations }, context, defaultFormats)).toEqual({
    before,
    after,
  });
});
