import { expect, test } from 'vitest';
import { draftInWords, type FieldOperation } from '#shared/drafts/index.ts';

test.each<[string, string, FieldOperation[]]>([
  [
    'Bid: +10%, then at most 0.5',
    'payout',
    [
      { kind: 'percent', percent: '10' },
      { kind: 'cap', amount: '0.5' },
    ],
  ],
  ['Name: set to “New”', 'name', [{ kind: 'set', value: 'New' }]],
  ['End date: 3 days later', 'expire', [{ kind: 'shiftDays', days: 3 }]],
  ['Countries: add DE, AT', 'geo', [{ kind: 'addMembers', members: ['DE', 'AT'] }]],
  [
    'publisher_blocklist: add 40 entries',
    'publisher_blocklist',
    [{ kind: 'addMembers', members: Array.from({ length: 40 }, (_, index) => index) }],
  ],
  ['Scheduled hours: switch 2 hours off', 'shedule', [{ kind: 'removeHours', hours: [0, 1] }]],
  ['End date: set to nothing', 'expire', [{ kind: 'set', value: '' }]],
])('%s', (words, field, operations) => {
  expect(draftInWords(field, { from: null, operations })).toBe(words);
});
