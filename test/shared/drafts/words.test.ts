import { expect, test } from 'vitest';
import { draftInWords, type FieldOperation } from '#shared/drafts/index.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const context = { types: { 11: { name: 'CPC Push' } } };
const week = Array.from({ length: 168 }, (_, hour) => (hour < 112 ? 1 : 0));

test.each<[string, string, FieldOperation[]]>([
  [
    'Bid: +10%, then at most $0.500',
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
    'Blocked publishers: add 40 entries',
    'publisher_blocklist',
    [{ kind: 'addMembers', members: Array.from({ length: 40 }, (_, index) => index) }],
  ],
  ['Scheduled hours: switch 2 hours off', 'shedule', [{ kind: 'removeHours', hours: [0, 1] }]],
  ['Status: set to Active', 'status', [{ kind: 'set', value: 1 }]],
  ['Type: set to CPC Push', 'type', [{ kind: 'set', value: 11 }]],
  ['Bid: set to $0.450', 'payout', [{ kind: 'set', value: 0.45 }]],
  ['Total budget: set to Unlimited', 't_revenue', [{ kind: 'set', value: 0 }]],
  ['Daily budget: set to $1,234.50', 'd_revenue', [{ kind: 'set', value: 1234.5 }]],
  ['Daily budget: −$1,234.50', 'd_revenue', [{ kind: 'subtract', amount: '1234.5' }]],
  ['Pacing count: at least 25,000', 'traffic_speed_counter', [{ kind: 'floor', amount: '25000' }]],
  ['Budget limits: set to Off (unlimited)', 'enable_budget', [{ kind: 'set', value: 0 }]],
  ['Scheduled hours: set to 112 of 168 hours', 'shedule', [{ kind: 'set', value: week }]],
  ['Schedule time zone: set to Asia/Kolkata', 'shedule_timezone', [{ kind: 'set', value: 'Asia/Kolkata' }]],
  ['Countries: set to DE, AT', 'geo', [{ kind: 'set', value: ['DE', 'AT'] }]],
  ['Bid controls: set to 2 entries', 'bidControl', [{ kind: 'set', value: [{ bid: 1 }, { bid: 2 }] }]],
  [
    'Bid controls: bid of one control set to $0.050',
    'bidControl',
    [{ kind: 'setBidControl', control: {}, member: 'bid', value: 0.05 }],
  ],
  ['End date: set to 31 Dec 2026', 'expire', [{ kind: 'set', value: '2026-12-31' }]],
  ['End time: set to 23:59', 'expire_time', [{ kind: 'set', value: '23:59' }]],
  ['End date: set to nothing', 'expire', [{ kind: 'set', value: '' }]],
])('%s', (words, field, operations) => {
  expect(draftInWords(field, { from: null, operations }, context, usualFormats)).toBe(words);
});
