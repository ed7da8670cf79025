import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceCopy } from '#core/backend/index.ts';
import { rehearse, type ServiceCopy } from '#core/drafts/rehearsal.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { runningWeek } from '#shared/campaign/index.ts';
import type { CampaignEdit } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { createDraftWorld } from './drafts-of.ts';
import { runs } from '#test/setup/property-runs.ts';

/** A Monday, at noon. */
const clocks = { nowMs: Date.UTC(2026, 10, 23, 12), serviceZone: 'UTC' };

function copyOf({ balanceMicros = null as number | null } = {}): ServiceCopy {
  const copy = createServiceCopy({ logger: silentLogger, balanceOf: () => balanceMicros });
  onTestFinished(() => copy.dispose());
  return { ...copy, isBalanceKnown: balanceMicros !== null };
}

/** A campaign of Demo as it is read, with other values. */
async function readWith(values: JsonObject): Promise<CampaignEdit> {
  const { world, cid } = await createDraftWorld();
  const { edit } = await world.other.get(cid);
  return { ...edit, campaign: { ...edit.campaign, enable_time: 0, enable_shedule: 0, ...values } };
}

const sent = ({ campaign }: CampaignEdit, values: JsonObject): JsonObject => ({ ...campaign, ...values });

test('says the status afterwards and the hours of the next seven days, by flight and schedule', async () => {
  const edit = await readWith({ status: 3, shedule_timezone: 'UTC' });
  const mornings = Array.from({ length: 168 }, (_, hour) => (hour % 24 === 8 ? 1 : 0));
  const hoursOf = (values: JsonObject) =>
    rehearse(copyOf(), { edit, payload: sent(edit, { name: 'Other', status: 1, ...values }), clocks });
  expect(hoursOf({})).toEqual({ kind: 'accepted', status: 1, hoursNextWeek: 168, isBalanceKnown: false });
  expect(hoursOf({ enable_shedule: 1, shedule: mornings })).toMatchObject({ hoursNextWeek: 7 });
  const flight = { enable_time: 1, create: '2026-11-01', create_time: '00:00' };
  const ends = { ...flight, expire: '2026-11-24', expire_time: '12:00' };
  expect(hoursOf(ends)).toMatchObject({ hoursNextWeek: 24 });
  expect(hoursOf({ ...ends, enable_shedule: 1, shedule: mornings })).toMatchObject({ hoursNextWeek: 1 });
  expect(hoursOf({ status: 2 })).toMatchObject({ status: 2, hoursNextWeek: 0 });
});

test('the hours are those that the editor shows, also over a night in which the clocks change, and in half hours', async () => {
  const edit = await readWith({ status: 1 });
  const copy = copyOf();
  const change = (at: string): fc.Arbitrary<number> =>
    fc.integer({ min: -8 * 24 * 60, max: 60 }).map((minutes) => Date.parse(at) + minutes * 60_000);
  const moments = fc.oneof(
    // Berlin and New York, in spring and in autumn; Lord Howe by half an hour.
    ...[
      '2026-03-29T01:00Z',
      '2026-10-25T01:00Z',
      '2026-03-08T07:00Z',
      '2026-11-01T06:00Z',
      '2026-04-04T15:00Z',
    ].map(change),
  );
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
  );
  const weeks = fc
    .array(fc.constantFrom(0, 1), { minLength: 168, maxLength: 168 })
    .filter((week) => week.includes(1));
  const flights = fc.constantFrom(
    { enable_time: 0 },
    {
      enable_time: 1,
      create: '2026-01-01',
      create_time: '00:00',
      expire: '2026-10-27',
      expire_time: '13:00',
    },
    {
      enable_time: 1,
      create: '2026-03-30',
      create_time: '09:00',
      expire: '2027-01-01',
      expire_time: '00:00',
    },
  );
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(
      moments,
      zones,
      zones,
      weeks,
      flights,
      fc.constantFrom(1, 4),
      (nowMs, serviceZone, zone, shedule, flight, status) => {
        const payload = sent(edit, { ...flight, status, enable_shedule: 1, shedule, shedule_timezone: zone });
        const week = runningWeek(payload, { nowMs, serviceZone });
        const rehearsal = rehearse(copy, { edit, payload, clocks: { nowMs, serviceZone } });
        expect(rehearsal).toMatchObject({ kind: 'accepted', hoursNextWeek: week.hours });
        seen.add(Number.isInteger(week.hours));
      },
    ),
    runs(150),
  );
  expect([...seen].toSorted()).toEqual([false, true]);
});

test('refuses an activation without a balance only where the balance is known', async () => {
  const edit = await readWith({ status: 3 });
  const request = { edit, payload: sent(edit, { status: 1 }), clocks };
  expect(rehearse(copyOf({ balanceMicros: 420_000 }), request)).toEqual({
    kind: 'refused',
    message: 'The account has less than $1.00 available.',
    fields: [],
  });
  expect(rehearse(copyOf(), request)).toMatchObject({ kind: 'accepted', isBalanceKnown: false });
});

test('names every field that the service would refuse, and copies the campaign anew each time', async () => {
  const edit = await readWith({});
  const copy = copyOf();
  const bad = sent(edit, { payout: 99, name: '' });
  for (let again = 0; again < 2; again += 1) {
    expect(rehearse(copy, { edit, payload: bad, clocks })).toMatchObject({
      kind: 'refused',
      fields: [{ field: 'name' }, { field: 'payout' }],
    });
    const good = sent(edit, { name: `Good ${again}` });
    expect(rehearse(copy, { edit, payload: good, clocks })).toMatchObject({ kind: 'accepted' });
  }
});

test('does not rehearse a type without known rules, or a campaign of another form', async () => {
  const edit = await readWith({});
  const type = String(edit.campaign['type']);
  const strange = {
    ...edit,
    campaign_types: { [type]: { name: 'Teaser', pricing: 'flat' } },
  } as CampaignEdit;
  const payload = sent(edit, { name: 'Other' });
  expect(rehearse(copyOf(), { edit: strange, payload, clocks })).toMatchObject({
    kind: 'not_rehearsed',
  });
  const another = { ...edit, campaign: { ...edit.campaign, d_revenue: null } };
  expect(rehearse(copyOf(), { edit: another, payload, clocks })).toMatchObject({
    kind: 'not_rehearsed',
  });
});
