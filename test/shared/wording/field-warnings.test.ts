import { expect, test } from 'vitest';
import { diffCampaigns, exposureOf } from '#shared/campaign/index.ts';
import { fieldWarnings } from '#shared/wording/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const today = { date: '2026-11-20', time: '14:00', zone: 'Europe/Berlin' };

/** Returns the codes of the warnings of a change of the example, each with its field. */
function warningsOf(change: JsonObject, from: JsonObject = {}) {
  const before = { ...exampleCampaign('push'), ...from };
  const after = { ...before, ...change };
  const warnings = fieldWarnings(
    {
      before,
      after,
      changes: diffCampaigns(before, after),
      context: exampleContext(),
      today,
      exposureBefore: exposureOf(before, today),
      exposureAfter: exposureOf(after, today),
      stoppedAs: [],
    },
    defaultFormats,
  );
  return warnings.map(({ code, field }) => [code, field]);
}

const capped = { freq_cap: 1, freq_counter: 2, traffic_speed: 1, traffic_speed_counter: 10 };
const scheduled = { enable_shedule: 1, shedule_timezone: 'UTC' };
const week = (on: number): number[] => Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));

const changes: [changed: string, value: JsonObject[string], from?: JsonObject][] = [
  ['payout', 0.09],
  ['payout', 0.45],
  ['payout', 0.045, { payout: 0 }],
  ['d_revenue', 5_000, { status: 3 }],
  ['d_revenue', 0],
  ['enable_budget', 0],
  ['clickurl', 'https://elsewhere.example/'],
  ['website', 'https://elsewhere.example/'],
  ['geo_enabled', 1],
  ['devices_enabled', 1],
  ['ip_blocklist', []],
  ['shedule', week(168), { ...scheduled, shedule: week(24) }],
  ['enable_shedule', 0, { ...scheduled, shedule: week(24) }],
  ['shedule_timezone', 'Asia/Tokyo', { ...scheduled, shedule: week(24) }],
  ['expire', ''],
  ['enable_time', 0],
  ['freq_cap', 0, capped],
  ['freq_counter', 9, capped],
  ['traffic_speed', 2, capped],
  ['traffic_speed_counter', 99, capped],
  ['keywords_enabled', 0, { keywords_enabled: 1 }],
  ['status', 1, { status: 2 }],
  ['status', 3, { status: 0 }],
  ['name', 'Аpple'],
  ['bidControl', [], { bidControl: [{ source: 1, bid: 0.2 }] }],
  ['x_new', 2, { x_new: 1 }],
];

test.each(changes)('a change of only %s to %j has its warning at that field', (field, value, from = {}) => {
  const fields = new Set(warningsOf({ [field]: value }, from).map(([, about]) => about));
  expect([...fields]).toEqual([field]);
});

test('with several changed fields each warning is at its own field, and money is about the whole change', () => {
  const found = warningsOf({ payout: 0.09, d_revenue: 110, name: 'Аpple', geo: ['DE', 'FR', 'AT'] });
  expect(found).toEqual([
    ['bid_doubled', 'payout'],
    ['per_day_doubled', null],
    ['look_alikes', 'name'],
  ]);
});
