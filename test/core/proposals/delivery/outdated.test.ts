import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { armingDelayMs, type DecisionResult, type Display } from '#shared/host-api/index.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, proposeBid, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/** Approves just after a second client has changed other fields, and returns the result. */
async function approveOutdated(
  world: World,
  display: Display,
  fields: Record<string, JsonValue>,
): Promise<DecisionResult> {
  const cid = display.proposal.targets[0]!.cid;
  await changeElsewhere(world, cid, fields);
  world.core.confirmation.seen(display);
  world.clock.advance(armingDelayMs);
  return world.approve(display);
}

function againOf({ again }: DecisionResult): Display {
  if (again === null) throw new Error('Nothing asks again');
  return again;
}

describe('when another field changed between display and approval,', () => {
  test('the proposal becomes stale, names the change, and is proposed again on the new state', async () => {
    const world = await createWorld();
    const { proposal, cid, to } = await proposeBid(world);
    const display = await world.look(proposal.id);
    const writes = world.puts();
    const result = await approveOutdated(world, display, { name: 'Renamed elsewhere' });
    const again = againOf(result);

    expect(result.proposal).toMatchObject({ state: 'stale', outcome: { code: 'proposal_stale' } });
    expect(result.proposal.replacedBy).toBe(again.proposal.id);
    expect(again.fingerprint).not.toBe(display.fingerprint);
    expect(again.proposal.rebase).toMatchObject({ of: proposal.id, round: 1, volatile: [] });
    expect(again.proposal.rebase?.moved).toMatchObject([{ field: 'name', after: 'Renamed elsewhere' }]);
    expect(again.proposal.changes.map(({ field }) => field)).toEqual(['payout']);
    expect(again.proposal.title).toContain('Renamed elsewhere');
    expect(world.puts() - writes).toBe(1);
    // The window that is open asks again; no second window opens.
    expect(world.shown).toHaveLength(1);

    await expect(world.approve(again)).rejects.toMatchObject({ code: 'confirmation_too_early' });
    world.core.confirmation.seen(again);
    world.clock.advance(armingDelayMs);
    expect((await world.approve(again)).proposal.state).toBe('verified');
    expect(await campaignNow(world, cid)).toMatchObject({ name: 'Renamed elsewhere', payout: to });
  });

  test('a field that changed twice is named as volatile in the next proposal and no longer stops its approval', async () => {
    const world = await createWorld();
    const { proposal, cid } = await proposeBid(world);
    const first = await approveOutdated(world, await world.look(proposal.id), { keywords_blocklist: 'one' });
    expect(againOf(first).proposal.warnings.map(({ code }) => code)).not.toContain('volatile_field');
    const second = await approveOutdated(world, againOf(first), { keywords_blocklist: 'two' });
    const third = againOf(second);
    expect(third.proposal.rebase).toMatchObject({ round: 2, volatile: ['keywords_blocklist'] });
    expect(third.proposal.warnings).toContainEqual({
      code: 'volatile_field',
      severity: 'warning',
      text: 'Blocked keywords keeps changing and is not compared again. Approving sends the value shown here.',
    });

    const result = await approveOutdated(world, third, { keywords_blocklist: 'three' });
    expect(result).toMatchObject({ again: null, proposal: { state: 'verified' } });
    // The displayed value was sent.
    expect(await campaignNow(world, cid)).toMatchObject({ keywords_blocklist: 'two' });
  });

  test('a volatile field does not hide a change of another field', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    const first = await approveOutdated(world, await world.look(proposal.id), { keywords_blocklist: 'one' });
    const second = await approveOutdated(world, againOf(first), { keywords_blocklist: 'two' });
    const third = await approveOutdated(world, againOf(second), {
      keywords_blocklist: 'three',
      name: 'Other',
    });
    expect(third.proposal.state).toBe('stale');
    expect(againOf(third).proposal.rebase).toMatchObject({ round: 3, volatile: ['keywords_blocklist'] });
    expect(againOf(third).proposal.rebase?.moved.map(({ field }) => field)).toEqual(['name']);
  });

  test('a status that keeps changing needs a new approval each time, so no campaign is activated unseen', async () => {
    const world = await createWorld();
    const { proposal, cid } = await proposeBid(world);
    const first = await approveOutdated(world, await world.look(proposal.id), { status: 3 });
    const second = await approveOutdated(world, againOf(first), { status: 1 });
    expect(againOf(second).proposal.rebase).toMatchObject({ round: 2, volatile: [] });
    const third = await approveOutdated(world, againOf(second), { status: 3 });
    expect(third.proposal.state).toBe('stale');
    expect(againOf(third).proposal.targets).toMatchObject([{ statusBefore: 3, statusAfter: 3 }]);
    expect(await campaignNow(world, cid)).toMatchObject({ status: 3 });
  });

  test.each([
    ['the daily budget', 'd_revenue', [501, 502, 503]],
    ['the budget switch', 'enable_budget', [0, 1, 0]],
    ['the click URL', 'clickurl', ['https://a.example/', 'https://b.example/', 'https://c.example/']],
  ] satisfies [string, string, JsonValue[]][])('%s never becomes volatile', async (_name, field, values) => {
    const world = await createWorld({ campaigns: 60 });
    const { cid } = await findCampaign(world, ({ status, daily_budget, type_name }) => {
      return status === 1 && daily_budget > 0 && !/CPM|Display|Push/i.test(type_name);
    });
    const { proposal } = await proposeBid(world, 1.1, cid);
    let display = await world.look(proposal.id);
    for (const value of values) {
      display = againOf(await approveOutdated(world, display, { [field]: value }));
      expect(display.proposal.rebase?.volatile).toEqual([]);
    }
    expect(await campaignNow(world, cid)).toMatchObject({ [field]: values.at(-1) });
  });
});

describe('when the same field was changed by someone else,', () => {
  test('both values are shown and nothing can be approved', async () => {
    const world = await createWorld();
    const { proposal, cid, to } = await proposeBid(world, 1.1);
    const display = await world.look(proposal.id);
    const theirs = Number(((to / 1.1) * 1.3).toFixed(4));
    const { proposal: stale, again } = await approveOutdated(world, display, { payout: theirs });
    expect(again).toBeNull();
    expect(stale).toMatchObject({ state: 'stale', replacedBy: null, outcome: { code: 'proposal_stale' } });
    const [change] = stale.changes;
    expect(stale.conflict).toMatchObject([{ field: 'payout', base: change?.before, mine: change?.after }]);
    expect(stale.conflict[0]?.theirs).not.toBe(change?.after);
    await expect(world.core.handlers['proposals.review']({ id: proposal.id })).rejects.toMatchObject({
      code: 'proposal_not_waiting',
    });
    expect(await campaignNow(world, cid)).toMatchObject({ payout: theirs });
  });

  test('to the proposed value, there is nothing left to change', async () => {
    const world = await createWorld();
    const { proposal, to } = await proposeBid(world);
    const { proposal: stale } = await approveOutdated(world, await world.look(proposal.id), { payout: to });
    expect(stale).toMatchObject({ state: 'stale', conflict: [], outcome: { code: 'nothing_to_change' } });
  });
});

test('a change that is invalid on the new state is not proposed again, and every invalid field is named', async () => {
  const world = await createWorld();
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  await changeElsewhere(world, cid, { enable_time: 1, create: '2030-01-01', expire: '2030-12-31' });
  const proposal = await proposeUpdate(world.core.handlers, {
    cid,
    changes: [{ field: 'expire', from: '2030-12-31', to: '2030-03-31' }],
  });
  const display = await world.look(proposal.id);
  const writes = world.puts();
  const { proposal: stale, again } = await approveOutdated(world, display, { create: '2030-06-01' });
  expect(again).toBeNull();
  expect(stale).toMatchObject({ state: 'stale', replacedBy: null, outcome: { code: 'validation_failed' } });
  expect(stale.outcome?.message).toContain('expire');
  expect(world.puts() - writes).toBe(1);
});

test('nothing is sent when the service cannot be read before sending, and the reason is shown', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  world.service.faults.arm({ kind: 'answer', status: 500, method: 'GET', path: '/login/campaigns' });
  const { proposal: stopped } = await world.approve(display);
  expect(stopped).toMatchObject({ state: 'withdrawn', outcome: { code: 'service_failed' } });
  expect(world.puts()).toBe(0);
});

test('the second of two waiting changes to one campaign is proposed again on the result of the first', async () => {
  const world = await createWorld();
  const { proposal: bid, cid, to } = await proposeBid(world);
  const pause = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  const first = await world.look(pause.id);
  const second = await world.look(bid.id);
  const [done, moved] = await Promise.all([world.approve(first), world.approve(second)]);
  expect(done.proposal.state).toBe('verified');
  expect(moved.proposal.state).toBe('stale');
  const again = againOf(moved);
  expect(again.proposal.rebase?.moved.map(({ field }) => field)).toEqual(['status']);
  expect(JSON.parse(again.proposal.payload)).toMatchObject({ status: 3, payout: to });
});
