import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exposureOf, moneyText, serviceDay, sumExposure } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

// A Friday.
const today = { date: '2026-11-20', time: '14:00', zone: 'Europe/Berlin' };

/** Returns the hours of the week that are on. Example: `on(4, 9)` is Friday nine o'clock. */
function week(on: (day: number, hour: number) => boolean): number[] {
  return Array.from({ length: 168 }, (_hour, index) => (on(Math.floor(index / 24), index % 24) ? 1 : 0));
}

/** Returns the money at risk of the example with some fields changed: per day and until the end, in words. */
function risk(change: JsonObject): string {
  const exposure = exposureOf(
    { ...exampleCampaign('push'), enable_shedule: 0, t_revenue: 0, ...change },
    today,
  );
  const from = exposure.startsOn === null ? '' : ` from ${exposure.startsOn}`;
  return `${moneyText(exposure.perDay, defaultFormats).text}${from} · ${moneyText(exposure.untilEnd, defaultFormats).text}`;
}

const sevenDays = { expire: '2026-11-26', expire_time: '23:59' };

describe('money at risk', () => {
  test.each([
    ['paused', { status: 3 }, '$0.00 · $0.00'],
    ['pending', { status: 0 }, '$0.00 · $0.00'],
    ['suspended, without limits', { status: 2, enable_budget: 0 }, '$0.00 · $0.00'],
    ['scheduled', { status: 4, ...sevenDays }, '$50.00 · $350.00'],
    ['no budget limits', { enable_budget: 0, ...sevenDays }, 'Unlimited · Unlimited'],
    ['a flag that is no flag', { enable_budget: '1' }, 'Unlimited · Unlimited'],
    ['no end and no total', { enable_time: 0 }, '$50.00 · Unlimited'],
    ['an empty end and no total', { expire: '' }, '$50.00 · Unlimited'],
    ['no end but a total', { enable_time: 0, t_revenue: 2050 }, '$50.00 · $2,050.00'],
    ['a total under the days', { ...sevenDays, t_revenue: 100 }, '$50.00 · $100.00'],
    ['a total over the days', { ...sevenDays, t_revenue: 1000 }, '$50.00 · $350.00'],
    ['a total under the daily budget', { ...sevenDays, t_revenue: 20 }, '$20.00 · $20.00'],
    ['a daily budget of 0 limits nothing', { ...sevenDays, d_revenue: 0 }, 'Unlimited · Unlimited'],
    ['a daily budget of 0 under a total', { ...sevenDays, d_revenue: 0, t_revenue: 70 }, '$70.00 · $70.00'],
    ['a budget that is no number', { ...sevenDays, d_revenue: '50' }, 'Unlimited · Unlimited'],
    ['the last day', { expire: '2026-11-20', expire_time: '23:59' }, '$50.00 · $50.00'],
    ['the last hour has begun', { expire: '2026-11-20', expire_time: '14:30' }, '$50.00 · $50.00'],
    ['ended this morning', { expire: '2026-11-20', expire_time: '09:00' }, '$0.00 · $0.00'],
    ['ended yesterday', { expire: '2026-11-19' }, '$0.00 · $0.00'],
    ['ended yesterday, without limits', { enable_budget: 0, expire: '2026-11-19' }, '$0.00 · $0.00'],
    ['a start after the end', { create: '2027-01-01', ...sevenDays }, '$0.00 · $0.00'],
    ['ends as a day begins', { expire: '2026-11-26', expire_time: '00:00' }, '$50.00 · $300.00'],
    ['starts later', { create: '2026-11-25', ...sevenDays }, '$50.00 from 2026-11-25 · $100.00'],
    [
      'starts in years',
      { create: '2031-01-01', enable_time: 1, expire: '', t_revenue: 70 },
      '$50.00 from 2031-01-01 · $70.00',
    ],
    [
      'starts in years, on a day without hours',
      { create: '2031-01-01', expire: '', enable_shedule: 1, shedule: week((day) => day === 0) },
      '$50.00 from 2031-01-06 · Unlimited',
    ],
    ['an end that is no date', { expire: 'soon' }, '$50.00 · Unlimited'],
    [
      'weekends only',
      { ...sevenDays, enable_shedule: 1, shedule: week((day) => day > 4) },
      '$50.00 from 2026-11-21 · $100.00',
    ],
    ['no hour at all', { ...sevenDays, enable_shedule: 1, shedule: week(() => false) }, '$0.00 · $0.00'],
    [
      'no hour at all, no end and no limits',
      { enable_time: 0, enable_budget: 0, enable_shedule: 1, shedule: week(() => false) },
      '$0.00 · $0.00',
    ],
    [
      'today only in the morning',
      { ...sevenDays, enable_shedule: 1, shedule: week((day, hour) => day === 4 && hour < 14) },
      '$0.00 · $0.00',
    ],
    [
      'an hour of today that has begun',
      { ...sevenDays, enable_shedule: 1, shedule: week((day, hour) => day === 4 && hour === 14) },
      '$50.00 · $50.00',
    ],
    [
      'a schedule of unknown shape runs always',
      { ...sevenDays, enable_shedule: 1, shedule: 'x' },
      '$50.00 · $350.00',
    ],
    [
      'an end in the far future',
      { expire: '9999-12-31', enable_shedule: 1, shedule: week((day) => day === 0) },
      '$50.00 from 2026-11-23 · $20,800,850.00',
    ],
  ] as [string, JsonObject, string][])('%s', (_what, change, money) => expect(risk(change)).toBe(money));

  test('states the last day of the flight', () => {
    expect(exposureOf(exampleCampaign('push'), today).endsOn).toBe('2026-12-31');
    expect(exposureOf({ ...exampleCampaign('push'), enable_time: 0 }, today).endsOn).toBeNull();
    const atMidnight = { ...exampleCampaign('push'), expire_time: '00:00' };
    expect(exposureOf(atMidnight, today).endsOn).toBe('2026-12-30');
  });

  test('can be computed for a campaign with any JSON', () => {
    const objects = fc.dictionary(
      fc.constantFrom(...Object.keys(exampleCampaign())),
      fc.jsonValue(),
    ) as fc.Arbitrary<JsonObject>;
    fc.assert(fc.property(objects, (change) => void exposureOf({ ...exampleCampaign(), ...change }, today)));
  });
});

describe('the money at risk of several campaigns', () => {
  const one = exposureOf(exampleCampaign('push'), today);

  test('is the sum of limited amounts, with the end that all share', () => {
    const sum = sumExposure([one, one]);
    expect([
      moneyText(sum.perDay, defaultFormats).text,
      moneyText(sum.untilEnd, defaultFormats).text,
      sum.endsOn,
    ]).toEqual(['$100.00', '$4,100.00', '2026-12-31']);
    expect(sumExposure([one, { ...one, endsOn: '2027-01-01' }]).endsOn).toBeNull();
    expect(sumExposure([one, { ...one, endsOn: null }]).endsOn).toBeNull();
  });

  test('is unlimited as soon as one campaign is', () => {
    const sum = sumExposure([one, { ...one, untilEnd: { kind: 'unlimited' } }]);
    expect(moneyText(sum.untilEnd, defaultFormats)).toEqual({
      text: 'Unlimited',
      unlimited: true,
      micros: '',
    });
    expect(moneyText(sum.perDay, defaultFormats)).toEqual({
      text: '$100.00',
      unlimited: false,
      micros: '100000000',
    });
  });

  test('begins with the first campaign that can spend', () => {
    const later = (startsOn: string) => ({ ...one, startsOn });
    const none = exposureOf({ ...exampleCampaign('push'), status: 3 }, today);
    expect(sumExposure([later('2031-01-01'), later('2030-01-01'), none]).startsOn).toBe('2030-01-01');
    expect(sumExposure([later('2031-01-01'), one]).startsOn).toBeNull();
  });

  test('is zero without campaigns', () =>
    expect(moneyText(sumExposure([]).perDay, defaultFormats).text).toBe('$0.00'));
});

test.each([
  ['2026-11-20T13:55:00Z', 'UTC', '2026-11-20', '13:55'],
  ['2026-11-20T23:30:00Z', 'Europe/Berlin', '2026-11-21', '00:30'],
  ['2026-11-20T03:30:00Z', 'America/Los_Angeles', '2026-11-19', '19:30'],
  ['2026-03-29T00:59:00Z', 'Europe/Berlin', '2026-03-29', '01:59'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29', '03:00'],
  ['2026-11-20T18:30:00Z', 'Asia/Kolkata', '2026-11-21', '00:00'],
])('%s in %s is %s %s', (moment, zone, date, time) => {
  expect(serviceDay(Date.parse(moment), zone)).toEqual({ date, time, zone });
});
