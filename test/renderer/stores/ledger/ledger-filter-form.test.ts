import { describe, expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { emptyForm, filterOf, nextDate } from '#renderer/stores/ledger/ledger-store.ts';
import { dayStartMs } from '#shared/campaign/index.ts';
import { isDate } from '#shared/lib/date-text.ts';

describe('a date of the filter', () => {
  test.each([
    ['2026-11-02', 'UTC', '2026-11-02T00:00:00Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00Z'],
    ['2026-07-02', 'America/New_York', '2026-07-02T04:00:00Z'],
    ['2026-11-02', 'Pacific/Kiritimati', '2026-11-01T10:00:00Z'],
    ['2026-11-02', 'Asia/Kathmandu', '2026-11-01T18:15:00Z'],
    // The clocks jump from 0:00 to 1:00, so midnight does not exist.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z'],
    // Midnight occurs twice, and the first counts.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z'],
    // This whole day was skipped.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
  ])('begins as a service day: %s in %s', (date, zone, moment) => {
    expect(new Date(dayStartMs(date, zone)).toISOString()).toBe(new Date(moment).toISOString());
  });

  test.each([
    ['2026-02-28', '2026-03-01'],
    ['2024-02-28', '2024-02-29'],
    ['2026-12-31', '2027-01-01'],
  ])('after %s is %s', (date, next) => expect(nextDate(date)).toBe(next));

  test.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', 'today', '2026-01-01T00:00'])(
    'is never %s',
    (text) => expect(isDate(text)).toBe(false),
  );
});

describe('the form of the filter', () => {
  test('keeps every row if it is empty', () => {
    expect(filterOf(emptyForm, 'UTC')).toEqual({ filter: everyRow, errors: {} });
  });

  test('covers complete days, including the last day', () => {
    const form = {
      ...emptyForm,
      profileId: 'demo',
      agentId: 'a',
      about: 'write',
      cid: ' 1042 ',
      from: '2026-11-02',
      until: '2026-11-02',
    };
    expect(filterOf(form, 'UTC')).toEqual({
      filter: {
        proposalId: null,
        profileId: 'demo',
        agentId: 'a',
        about: 'write',
        cid: 1042,
        fromMs: Date.parse('2026-11-02T00:00Z'),
        untilMs: Date.parse('2026-11-03T00:00Z'),
      },
      errors: {},
    });
  });

  test.each([
    [{ cid: 'summer' }, 'cid'],
    [{ cid: '0' }, 'cid'],
    [{ cid: '1.5' }, 'cid'],
    [{ from: '2.11.2026' }, 'from'],
    [{ until: '2026-11-31' }, 'until'],
    [{ from: '2026-11-02', until: '2026-11-01' }, 'until'],
  ])('reports which field of %j cannot be read, and does not filter by that field', (change, field) => {
    const { filter, errors } = filterOf({ ...emptyForm, ...change }, 'UTC');
    expect(Object.keys(errors)).toEqual([field]);
    expect(filter[field === 'cid' ? 'cid' : field === 'from' ? 'fromMs' : 'untilMs']).toBeNull();
  });
});
