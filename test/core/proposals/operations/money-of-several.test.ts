import { expect, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/** Budgets of a campaign without a flight and a schedule, so that only the budgets determine its spend. */
const budgets = (d_revenue: number, enable_budget = 1) => ({
  enable_budget,
  d_revenue,
  t_revenue: 0,
  enable_time: 0,
  enable_shedule: 0,
});

/** Makes running campaigns with these daily budgets; null is no budget at all. */
async function running(world: World, daily: readonly (number | null)[]): Promise<number[]> {
  const cids: number[] = [];
  for (const amount of daily) {
    const { cid } = await findCampaign(world, (row) => row.status === 1 && !cids.includes(row.cid));
    await changeElsewhere(world, cid, amount === null ? budgets(50, 0) : budgets(amount));
    cids.push(cid);
  }
  return cids;
}

async function raiseTogether(world: World, cids: readonly number[]): Promise<ProposalView> {
  const ids: string[] = [];
  for (const cid of cids) {
    const from = Number((await campaignNow(world, cid))['d_revenue']);
    const changes = [{ field: 'd_revenue', from, to: from * 1.5 }];
    ids.push((await proposeUpdate(world.core.handlers, { cid, changes })).id);
  }
  const { id } = await world.core.handlers['proposals.reviewTogether']({ ids });
  return world.core.handlers['proposals.get']({ id });
}

test('a member without a limit does not hide the raises of other members: their sum is shown and has to be typed', async () => {
  const world = await createWorld({ campaigns: 60 });
  const batch = await raiseTogether(world, await running(world, [500, 300, null]));
  expect(batch.risk).toMatchObject({
    perDay: { before: { text: '$800.00' }, after: { text: '$1,200.00' } },
    campaignCount: 3,
    alwaysUnlimited: { perDay: 1, untilEnd: 0 },
  });
  expect(batch.typeToConfirm).toEqual({ label: 'Type the number of campaigns to confirm', value: '3' });
  expect(batch.queue).toBeNull();
});

test('a batch whose members all have no limit says so and asks for no value to type', async () => {
  const world = await createWorld({ campaigns: 60 });
  const batch = await raiseTogether(world, await running(world, [null, null]));
  expect(batch.risk.perDay.after.text).toBe('Unlimited');
  expect(batch.risk.alwaysUnlimited).toBeUndefined();
  expect(batch.typeToConfirm).toBeNull();
});

test('the money of a change of status covers exactly the campaigns that its title counts', async () => {
  const world = await createWorld({ campaigns: 60 });
  const cids = await running(world, [100, 20, null]);
  const { cid: paused } = await findCampaign(world, ({ status }) => status === 3);
  await changeElsewhere(world, paused, budgets(70));
  const pause = await world.core.handlers['campaigns.proposeStatus']({
    cids: [...cids.slice(0, 2), paused],
    status: 3,
  });
  expect(pause.title).toBe('Pause 2 campaigns');
  expect(pause.targets).toHaveLength(3);
  expect(pause.risk).toMatchObject({
    perDay: { before: { text: '$120.00' }, after: { text: '$0.00' } },
    campaignCount: 2,
  });

  const one = await world.core.handlers['campaigns.proposeStatus']({
    cids: [...cids.slice(2), paused],
    status: 3,
  });
  expect(one.risk.perDay.before.text).toBe('Unlimited');
  expect(one.risk.campaignCount).toBeUndefined();
});

test('the money before and after a change is counted over its own days', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [cid = 0] = await running(world, [50]);
  const flight = { ...budgets(50), enable_time: 1, create_time: '00:00', expire_time: '23:59' };
  await changeElsewhere(world, cid, { ...flight, create: '2041-01-01', expire: '2041-12-07' });
  const before = await campaignNow(world, cid);
  const changes = Object.entries({ create: '2026-01-01', expire: '2042-12-21' }).map(([field, to]) => ({
    field,
    from: String(before[field]),
    to,
  }));
  const { risk, warnings } = await proposeUpdate(world.core.handlers, { cid, changes });
  expect(risk.perDay).toMatchObject({
    before: { text: '$50.00', from: '2041-01-01' },
    after: { text: '$50.00' },
  });
  expect(risk.perDay.after.from).toBeUndefined();
  expect([risk.untilEnd.before.until, risk.untilEnd.after.until]).toEqual(['2041-12-07', '2042-12-21']);
  expect(warnings.map(({ code }) => code)).toContain('starts_earlier');
});
