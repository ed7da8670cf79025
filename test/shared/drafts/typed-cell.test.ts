import { describe, expect, test } from 'vitest';
import { bulkEditSchema, type CellEdit, type CellField, readTypedCell } from '#shared/drafts/index.ts';

// A Sunday.
const today = '2026-11-29';

const amount = (
  field: 'payout' | 'd_revenue' | 't_revenue',
  change: Extract<CellEdit, { kind: 'amount' }>['change'],
  turnsOn = true,
): CellEdit => ({ kind: 'amount', field, change, floor: null, cap: null, turnsOn });

describe('a value typed into a cell', () => {
  test.each<[CellField, string, CellEdit]>([
    ['payout', '0.045', amount('payout', { kind: 'set', value: 0.045 })],
    ['payout', ' $0.045 ', amount('payout', { kind: 'set', value: 0.045 })],
    ['payout', '+10%', amount('payout', { kind: 'percent', percent: '10' })],
    ['payout', '−2.5 %', amount('payout', { kind: 'percent', percent: '-2.5' })],
    ['payout', '+0.01', amount('payout', { kind: 'add', amount: '0.01' })],
    ['d_revenue', '1.2k', amount('d_revenue', { kind: 'set', value: 1_200 })],
    ['d_revenue', '1 250,50', amount('d_revenue', { kind: 'set', value: 1_250.5 })],
    ['t_revenue', '$1,250.50', amount('t_revenue', { kind: 'set', value: 1_250.5 })],
    ['d_revenue', 'Unlimited', amount('d_revenue', { kind: 'set', value: 0 }, false)],
    ['t_revenue', 'no limit', amount('t_revenue', { kind: 'set', value: 0 }, false)],
    ['t_revenue', '-50', amount('t_revenue', { kind: 'subtract', amount: '50' })],
    ['name', '  Push · BR  ', { kind: 'set', field: 'name', value: 'Push · BR' }],
    ['status', 'Paused', { kind: 'status', status: 3 }],
    ['status', 'p', { kind: 'status', status: 3 }],
    ['status', 'a', { kind: 'status', status: 1 }],
    ['status', 'SCH', { kind: 'status', status: 4 }],
    ['status', 'suspended', { kind: 'status', status: 2 }],
    ['expire', '2026-12-31', { kind: 'endOn', date: '2026-12-31' }],
    ['expire', '31.12.2026', { kind: 'endOn', date: '2026-12-31' }],
    ['expire', 'end of month', { kind: 'endOn', date: '2026-11-30' }],
    ['expire', '+14d', { kind: 'shiftEnd', days: 14 }],
    ['expire', '-2w', { kind: 'shiftEnd', days: -14 }],
    ['expire', '', { kind: 'noEnd' }],
    ['expire', 'No end', { kind: 'noEnd' }],
    ['create', '1 Dec', { kind: 'startOn', date: '2026-12-01' }],
    ['create', '+1', { kind: 'shiftStart', days: 1 }],
  ])('%s %j', (field, typed, edit) => {
    expect(readTypedCell(field, typed, today)).toEqual({ kind: 'edit', edit });
    expect(bulkEditSchema.parse(edit)).toEqual(edit);
  });

  test.each<[CellField, string, RegExp]>([
    ['payout', '', /^Enter an amount, for example 0\.045\.$/],
    ['payout', 'ten', /^Enter a number such as 0\.045, 1\.2k or \+10%\.$/],
    ['payout', '10%', /^Write \+10% to raise or -10% to lower\.$/],
    ['payout', 'unlimited', /^Enter a number/],
    ['d_revenue', '1,234', /^This can be read in two ways\. Enter 1234 or 1\.234\.$/],
    ['name', '  ', /^Enter a name\.$/],
    ['name', 'x'.repeat(2_001), /^Enter a shorter name\.$/],
    ['status', '', /^Enter Active, Paused, Scheduled or Suspended\.$/],
    ['status', 's', /^Enter Active, Paused, Scheduled or Suspended\.$/],
    ['status', 'Pending', /^Enter Active, Paused, Scheduled or Suspended\.$/],
    ['expire', '3/4/2027', /^This can be read in two ways\. Enter 2027-04-03 or 2027-03-04\.$/],
    ['expire', '+2m', /^Move a date by days or weeks: \+14d or \+2w\.$/],
    ['create', '', /^Enter a start date, for example 2026-12-31\.$/],
  ])('%s %j is refused with the rule and the remedy', (field, typed, message) => {
    expect(readTypedCell(field, typed, today)).toMatchObject({
      kind: 'wrong',
      message: expect.stringMatching(message),
    });
  });
});
