import { describe, expect, test } from 'vitest';
import { armingDelayMs } from '#shared/host-api/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, type World } from '../world.ts';
import { eventually } from '#test/setup/eventually.ts';

async function cidsWith(world: World, ...statuses: number[]): Promise<number[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  return data.filter(({ status }) => statuses.includes(status)).map(({ cid }) => cid);
}

async function statuses(world: World, cids: readonly number[]): Promise<unknown[]> {
  return Promise.all(cids.map(async (cid) => (await campaignNow(world, cid))['status']));
}

function propose(world: World, cids: number[], status: number): Promise<ProposalView> {
  return world.core.handlers['campaigns.proposeStatus']({ cids, status });
}

const flight2030 = {
  enable_time: 1,
  create: '2030-01-01',
  create_time: '00:00',
  expire: '2030-12-31',
  expire_time: '23:59',
};

test('many campaigns are paused by one approval and one request, each with its own verdict', async () => {
  const world = await createWorld({ campaigns: 60 });
  const cids = (await cidsWith(world, 1, 4)).slice(0, 12);
  expect(cids.length).toBe(12);
  const proposal = await propose(world, cids, 3);
  expect(proposal.title).toBe('Pause 12 campaigns');
  expect(JSON.parse(proposal.payload)).toEqual({ ids: cids, status: 3 });
  expect(proposal.targets.map(({ cid }) => cid)).toEqual(cids);
  expect(proposal.risk.perDay.after).toMatchObject({ unlimited: false, micros: '0' });

  const { proposal: done } = await world.approve(await world.look(proposal.id));
  expect(done.state).toBe('verified');
  expect(done.verdicts.map(({ verdict }) => verdict)).toEqual(cids.map(() => 'stored'));
  expect(await statuses(world, cids)).toEqual(cids.map(() => 3));
  expect(world.puts()).toBe(1);
});

test('nothing is proposed if one of the campaigns belongs to another account, and that campaign is named', async () => {
  const world = await createWorld();
  const cids = (await cidsWith(world, 1)).slice(0, 3);
  const failure = propose(world, [...cids, 999_999_999], 3);
  await expect(failure).rejects.toMatchObject({ code: 'campaign_not_found', data: { cids: '999999999' } });
  expect(
    (await world.core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 })).total,
  ).toBe(0);
});

test('a campaign that already has the status is listed as unchanged and not sent, and a change of only such campaigns is refused', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [active] = await cidsWith(world, 1);
  const [paused] = await cidsWith(world, 3);
  const proposal = await propose(world, [active!, paused!, active!], 3);
  expect(JSON.parse(proposal.payload)).toEqual({ ids: [active], status: 3 });
  expect(proposal.targets).toMatchObject([
    { cid: active, statusBefore: 1, statusAfter: 3 },
    { cid: paused, statusBefore: 3, statusAfter: 3 },
  ]);
  expect(proposal.changes).toHaveLength(1);
  expect(proposal.unchanged).toHaveLength(1);
  await expect(propose(world, [paused!], 3)).rejects.toMatchObject({ code: 'nothing_to_change' });
});

test('a status that no member may set is refused before a proposal is made', async () => {
  const world = await createWorld({ campaigns: 60 });
  for (const [from = 0, to = 0] of [
    [0, 1],
    [0, 4],
    [1, 0],
    [3, 0],
  ]) {
    const [cid] = await cidsWith(world, from);
    await expect(propose(world, [cid!], to)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'status', code: 'not_allowed' }],
    });
  }
});

test('an activation shows the money that can be spent from now on', async () => {
  const world = await createWorld({ campaigns: 60 });
  const row = await findCampaign(world, ({ status, daily_budget }) => status === 3 && daily_budget > 0);
  const proposal = await propose(world, [row.cid], 1);
  expect(proposal.title).toContain('Activate');
  expect(proposal.risk.perDay.before.micros).toBe('0');
  expect(proposal.risk.perDay.after).not.toMatchObject({ micros: '0' });
  const notice = proposal.warnings.find(({ code }) => code === 'activates');
  expect(notice?.text).toContain(proposal.risk.perDay.after.text);
});

describe('when a second client changes a campaign between display and approval,', () => {
  test('the changed campaigns are explained and the rest of the change is proposed again', async () => {
    const world = await createWorld({ campaigns: 60 });
    const cids = (await cidsWith(world, 1)).slice(0, 3);
    const proposal = await propose(world, cids, 3);
    const display = await world.look(proposal.id);
    await world.other.updateStatus(JSON.stringify({ ids: [cids[1]], status: 3 }));
    const { proposal: stale, again } = await world.approve(display);
    expect(stale.state).toBe('stale');
    expect(again?.proposal.rebase?.moved).toMatchObject([
      { field: `${cids[1]}.status`, before: 'Active', after: 'Paused' },
    ]);
    expect(JSON.parse(again?.proposal.payload ?? '')).toEqual({ ids: [cids[0], cids[2]], status: 3 });
    world.core.confirmation.seen(again!);
    world.clock.advance(armingDelayMs);
    expect((await world.approve(again!)).proposal.state).toBe('verified');
    expect(await statuses(world, cids)).toEqual([3, 3, 3]);
  });

  test('a changed budget needs a new approval and a changed name does not', async () => {
    const world = await createWorld();
    const row = await findCampaign(world, ({ status, daily_budget }) => status === 1 && daily_budget > 0);
    const renamed = await world.look((await propose(world, [row.cid], 3)).id);
    await changeElsewhere(world, row.cid, { name: 'Renamed elsewhere' });
    expect((await world.approve(renamed)).proposal.state).toBe('verified');

    const dearer = await world.look((await propose(world, [row.cid], 1)).id);
    await changeElsewhere(world, row.cid, { d_revenue: row.d_revenue + 1 });
    const { proposal, again } = await world.approve(dearer, row.cid.toString());
    expect(proposal.state).toBe('stale');
    expect(again?.proposal.rebase?.moved.map(({ field }) => field)).toContain('d_revenue');
  });

  test('a changed effective limit does not delay a pause, because services count it down', async () => {
    const world = await createWorld();
    const row = await findCampaign(world, ({ status, daily_budget }) => status === 1 && daily_budget > 0);
    const pause = await world.look((await propose(world, [row.cid], 3)).id);
    await changeElsewhere(world, row.cid, { enable_budget: 0 });
    expect((await world.approve(pause)).proposal.state).toBe('verified');

    const activation = await world.look((await propose(world, [row.cid], 1)).id);
    await changeElsewhere(world, row.cid, { enable_budget: 1 });
    expect((await world.approve(activation, row.cid.toString())).proposal.state).toBe('stale');
  });

  test('an activation is proposed again with the new money if a field outside the list changed it', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid } = await findCampaign(world, ({ status, daily_budget }) => status === 3 && daily_budget > 0);
    await changeElsewhere(world, cid, { ...flight2030, enable_shedule: 0, enable_budget: 1, t_revenue: 0 });
    const shown = await world.look((await propose(world, [cid], 1)).id);
    expect(shown.proposal.risk.untilEnd.after.unlimited).toBe(false);
    expect(shown.proposal.typeToConfirm).toBeNull();

    const writes = world.puts();
    await changeElsewhere(world, cid, { enable_time: 0 });
    const { proposal, again } = await world.approve(shown);
    expect(proposal.state).toBe('stale');
    expect(world.puts() - writes).toBe(1);
    expect(again?.proposal.rebase?.moved).toMatchObject([
      { field: 'startsOn', label: 'First day', before: '2030-01-01', after: 'At once' },
      { field: 'untilEnd', label: 'Money at risk until the end', after: 'Unlimited' },
      { field: 'endsOn', before: '2030-12-31', after: 'No end' },
    ]);
    expect(again?.proposal.risk.untilEnd.after.unlimited).toBe(true);
    // A daily limit still applies, so no typing is required.
    expect(again?.proposal.typeToConfirm).toBeNull();
    world.core.confirmation.seen(again!);
    world.clock.advance(armingDelayMs);
    expect((await world.approve(again!)).proposal.state).toBe('verified');
  });

  test('an activation is proposed again and names each changed fact', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid } = await findCampaign(world, ({ status, daily_budget }) => status === 3 && daily_budget > 0);
    await changeElsewhere(world, cid, {
      clickurl: 'https://shop.example/a',
      geo_enabled: 0,
      geo: ['FR', 'DE'],
      payout: 0.05,
      enable_shedule: 0,
    });
    const shown = await world.look((await propose(world, [cid], 1)).id);
    const values = shown.proposal.facts.map(({ value }) => value);
    expect(values).toContain('shop.example');
    const writes = world.puts();
    await changeElsewhere(world, cid, {
      clickurl: 'https://evil.example/b',
      geo_enabled: 1,
      payout: 0.06,
    });
    const { proposal, again } = await world.approve(shown);
    expect(proposal.state).toBe('stale');
    expect(world.puts() - writes).toBe(1);
    expect(again?.proposal.rebase?.moved).toMatchObject([
      { field: 'buys', before: expect.stringContaining('$0.050'), after: expect.stringContaining('$0.060') },
      { field: 'countries', before: 'DE, FR', after: 'All countries' },
      { field: 'host', label: 'Destination', before: 'shop.example', after: 'evil.example' },
    ]);
    world.core.confirmation.seen(again!);
    world.clock.advance(armingDelayMs);
    // The part of an address after its host is not an assessed fact.
    await changeElsewhere(world, cid, { clickurl: 'https://evil.example/other' });
    expect((await world.approve(again!)).proposal.state).toBe('verified');
  });

  test('an activation is not proposed again merely because time passed, even on the next day', async () => {
    const world = await createWorld({
      campaigns: 60,
      clock: createManualClock(Date.UTC(2030, 5, 1, 23, 58)),
    });
    const { cid } = await findCampaign(world, ({ status, daily_budget }) => status === 3 && daily_budget > 0);
    await changeElsewhere(world, cid, flight2030);
    const shown = await world.look((await propose(world, [cid], 1)).id);
    world.clock.advance(5 * 60_000);
    expect((await world.approve(shown)).proposal.state).toBe('verified');
  });

  test('a pause reads no single campaign before it is sent', async () => {
    const world = await createWorld({ campaigns: 60 });
    const cids = (await cidsWith(world, 1)).slice(0, 8);
    const shown = await world.look((await propose(world, cids, 3)).id);
    const single = (): number => world.service.requestLog().filter(({ path }) => /\d$/.test(path)).length;
    const before = single();
    expect((await world.approve(shown)).proposal.state).toBe('verified');
    expect(single() - before).toBe(0);
  });

  test('nothing is proposed again if nothing is left to change', async () => {
    const world = await createWorld();
    const [cid] = await cidsWith(world, 1);
    const display = await world.look((await propose(world, [cid!], 3)).id);
    await world.other.updateStatus(JSON.stringify({ ids: [cid], status: 3 }));
    const writes = world.puts();
    const { proposal, again } = await world.approve(display);
    expect(world.puts()).toBe(writes);
    expect({ state: proposal.state, code: proposal.outcome?.code, again }).toEqual({
      state: 'stale',
      code: 'nothing_to_change',
      again: null,
    });
  });
});

test('a lost answer to a bulk change locks every campaign until a read settles it', async () => {
  const world = await createWorld({ campaigns: 60 });
  const cids = (await cidsWith(world, 1)).slice(0, 4);
  const display = await world.look((await propose(world, cids, 3)).id);
  world.service.faults.arm({ kind: 'cut-after-write' });
  world.service.faults.arm({ kind: 'answer', status: 503, method: 'GET', path: '/nothing-asks-this' });
  const { proposal } = await world.approve(display);
  expect(proposal.state).toBe('unknown');
  await eventually(async () => {
    expect((await world.core.handlers['proposals.get']({ id: proposal.id })).state).toBe('verified');
  });
  expect(await statuses(world, cids)).toEqual(cids.map(() => 3));
  expect(world.puts()).toBe(1);
});

test('campaigns are read one by one or by pages, whichever needs fewer requests', async () => {
  const world = await createWorld({ campaigns: 450 });
  const lists = async (cids: number[]): Promise<number> => {
    const before = world.service
      .requestLog()
      .filter(({ path }) => path.endsWith('/campaigns/campaigns')).length;
    await propose(world, cids, 2);
    return (
      world.service.requestLog().filter(({ path }) => path.endsWith('/campaigns/campaigns')).length - before
    );
  };
  const first = (await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' })).data.filter(
    ({ status }) => status !== 2,
  );
  const last = (await world.other.list({ page: 3, perPage: 200, sort: 'cid', order: 'asc' })).data.filter(
    ({ status }) => status !== 2,
  );
  const ids = (rows: typeof first, count: number): number[] => rows.slice(0, count).map(({ cid }) => cid);
  expect(await lists(ids(last, 1))).toBe(1);
  expect(await lists(ids(last, 2))).toBe(2);
  expect(await lists(ids(first, 20))).toBe(1);
  expect(await lists([...ids(first, 10), ...ids(last, 1)])).toBe(2);
  expect(await lists([...ids(first, 10), ...ids(last, 10)])).toBe(3);
});

test('a pause of the running campaigns leaves the rest of the selection unchanged and takes one place in the queue', async () => {
  const world = await createWorld({ campaigns: 60 });
  const running = (await cidsWith(world, 1)).slice(0, 3);
  const [suspended = 0] = await cidsWith(world, 2);
  const [pending = 0] = await cidsWith(world, 0);
  const proposal = await world.core.handlers['campaigns.proposeStatus']({
    cids: [...running, suspended, pending],
    status: 3,
    targeted: 'running',
  });
  expect(proposal.title).toBe('Pause 3 running campaigns');
  await world.approve(await world.look(proposal.id));
  expect(await statuses(world, running)).toEqual([3, 3, 3]);
  expect(await statuses(world, [suspended, pending])).toEqual([2, 0]);
});

test('an activation of campaigns with different statuses counts each status and shows each campaign’s own', async () => {
  const world = await createWorld({ campaigns: 60 });
  const paused = (await cidsWith(world, 3)).slice(0, 2);
  const [suspended = 0] = await cidsWith(world, 2);
  const { warnings, changes } = await propose(world, [...paused, suspended], 1);
  expect(warnings.find(({ code }) => code === 'mixed_statuses')).toEqual({
    code: 'mixed_statuses',
    severity: 'notice',
    text: 'They have different statuses now: 2 Paused, not through this app; 1 Suspended, not through this app.',
  });
  expect(changes.map(({ before }) => before)).toEqual(['Paused', 'Paused', 'Suspended']);
  const alike = await propose(world, paused, 1);
  expect(alike.warnings.map(({ code }) => code)).not.toContain('mixed_statuses');
});
