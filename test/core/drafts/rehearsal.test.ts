import { expect, onTestFinished, test } from 'vitest';
import { createServiceCopy } from '#core/backend/index.ts';
import { rehearse, type ServiceCopy } from '#core/drafts/rehearsal.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { CampaignEdit } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { createDraftWorld } from './drafts-of.ts';

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
