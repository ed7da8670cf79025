import { describe, expect, test } from 'vitest';
import { newForm, readForm, type ReportForm } from '#renderer/stores/schedules/report-form.ts';
import { reportTaskSchema } from '#shared/contract/index.ts';

const nowMs = Date.parse('2026-11-23T10:00:00Z');
const form = (change: Partial<ReportForm> = {}): ReportForm => ({
  ...newForm({ tid: '7301' }, { zone: 'Europe/Berlin', nowMs }),
  ...change,
});

describe('the form of a scheduled report', () => {
  test('begins with tomorrow in its zone, and with the number of days that a schedule covers', () => {
    const late = Date.parse('2026-11-23T23:30:00Z');
    const open = (days?: number): ReportForm =>
      newForm(days === undefined ? {} : { days }, { zone: 'Europe/Berlin', nowMs: late });
    expect(open()).toMatchObject({ date: '2026-11-25', zone: 'Europe/Berlin', lastDays: '7' });
    expect([open(30), open(90), open(91), open(732)].map(({ lastDays }) => lastDays)).toEqual([
      '30',
      '90',
      '90',
      '90',
    ]);
  });

  test.each([
    ['days that are too many', { lastDays: '91' }, 'lastDays'],
    ['zero days', { lastDays: '0' }, 'lastDays'],
    ['a source that is no number', { tid: '73-01' }, 'tid'],
    ['a feed that is no number', { report: 'search', sid: 'all' }, 'sid'],
    ['a time that does not exist', { time: '24:00' }, 'time'],
    ['an offset for a zone', { zone: '+01:00' }, 'zone'],
    ['no day of the week', { repeat: 'weekly', days: [] }, 'days'],
    ['an invalid date', { repeat: 'once', date: '2026-02-30' }, 'date'],
    ['a moment that is over', { repeat: 'once', date: '2026-11-23', time: '10:59' }, 'date'],
    ['an hour that the clocks skip', { repeat: 'once', date: '2027-03-28', time: '02:30' }, 'date'],
    ['a name of a novel', { name: 'x'.repeat(101) }, 'name'],
  ] as const)('refuses %s at its field only', (_what, change, field) => {
    const read = readForm(form({ ...change, ...('days' in change && { days: [...change.days] }) }), nowMs);
    expect('errors' in read ? Object.keys(read.errors) : []).toEqual([field]);
  });

  test.each([
    [{}],
    [{ report: 'search', sid: '', repeat: 'weekly', days: ['sun', 'mon'] }],
    [{ report: 'search', sid: ' 427 ', repeat: 'once', date: '2026-11-23', time: '11:01', name: ' Now ' }],
  ] as const)('turns %o into a task of the contract', (change) => {
    const read = readForm(form({ ...change, ...('days' in change && { days: [...change.days] }) }), nowMs);
    if ('errors' in read) throw new Error(JSON.stringify(read.errors));
    expect(reportTaskSchema.parse(read.task)).toEqual(read.task);
  });
});

test('the day of a one-time report is typed like any date, in the zone of the schedule', () => {
  // In UTC it is still the 23rd.
  const nowMs = Date.parse('2026-11-23T23:30:00Z');
  const at = (date: string, zone: string): unknown =>
    readForm(form({ repeat: 'once', date, time: '09:00', zone, tid: '7301' }), nowMs);
  expect(at('tomorrow', 'Europe/Berlin')).toMatchObject({
    task: { schedule: { type: 'once', at: '2026-11-25T09:00:00+01:00' } },
  });
  expect(at('tomorrow', 'UTC')).toMatchObject({ task: { schedule: { at: '2026-11-24T09:00:00+00:00' } } });
  expect(at('+2w', 'UTC')).toMatchObject({ task: { schedule: { at: '2026-12-07T09:00:00+00:00' } } });
  expect(at('someday', 'UTC')).toMatchObject({ errors: { date: expect.stringContaining('Enter a date') } });
});
