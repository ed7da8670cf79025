import { expect, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { addMember, openDesktop, openLive } from '#test/core/connections/live-world.ts';
import { admitAgent } from '../admit.ts';
import { campaignNow as campaignOfAgent, createAgentWorld, prepareBid } from '../tool-call/agent-world.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { eventually } from '#test/setup/eventually.ts';

async function approved(world: World, id: string): Promise<ProposalView> {
  const { proposal } = await world.approve(await world.look(id));
  expect(proposal.state).toMatch(/verified|done/);
  return proposal;
}

async function running(world: World): Promise<CampaignRow> {
  return findCampaign(world, ({ status, payout }) => status === 1 && payout < 0.5);
}

async function sets(world: World, cid: number, fields: Record<string, number | string>): Promise<string> {
  const now = await campaignNow(world, cid);
  const changes = Object.entries(fields).map(([field, to]) => ({ field, from: scalar(now[field]), to }));
  const { id } = await proposeUpdate(world.core.handlers, { cid, changes });
  await approved(world, id);
  return id;
}

function scalar(value: JsonValue | undefined): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error('A text or a number');
}

async function pauses(world: World, cids: number[]): Promise<string> {
  const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
  await approved(world, id);
  return id;
}

function undo(world: World, id: string): Promise<{ id: string; address: string | null }> {
  return world.core.handlers['proposals.undo']({ id });
}

function get(world: World, id: string): Promise<ProposalView> {
  return world.core.handlers['proposals.get']({ id });
}

test.each([
  [
    'an update of two fields',
    (world: World, { cid }: CampaignRow) => sets(world, cid, { payout: 0.31, name: 'Summer' }),
  ],
  ['a pause', (world: World, { cid }: CampaignRow) => pauses(world, [cid])],
])('%s, and nothing else, is undone by an ordinary change that a person approves', async (_, change) => {
  const world = await createWorld();
  const row = await running(world);
  const before = await campaignNow(world, row.cid);
  const id = await change(world, row);
  expect(await get(world, id)).toMatchObject({ undo: { undoes: null, undoneBy: null, canUndo: true } });
  const puts = world.puts();
  const made = await undo(world, id);
  expect(world.shown.at(-1)?.proposal).toMatchObject({
    id: made.id,
    title: expect.stringMatching(/^To undo: /) as string,
    detail: { kind: 'campaigns' },
    undo: { undoes: id, undoneBy: null, canUndo: false },
  });
  expect(world.puts()).toBe(puts);
  await approved(world, made.id);
  expect(await campaignNow(world, row.cid)).toEqual(before);
  expect((await get(world, id)).undo).toEqual({
    undoes: null,
    undoneBy: { id: made.id, state: 'verified' },
    canUndo: false,
  });
});

test('the undo of a pause is checked like any activation', async () => {
  const world = await createWorld();
  const row = await running(world);
  const made = await undo(world, await pauses(world, [row.cid]));
  const { warnings, changes } = await get(world, made.id);
  const activation = await get(
    world,
    (await world.core.handlers['campaigns.proposeStatus']({ cids: [row.cid], status: 1 })).id,
  );
  expect(changes).toMatchObject([{ field: 'status', after: 'Active' }]);
  expect(warnings).toEqual(activation.warnings);
});

test('a batch is undone as one batch, and the undo can be undone', async () => {
  const world = await createWorld();
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const two = data.filter(({ status, payout }) => status === 1 && payout < 0.5).slice(0, 2);
  const { handlers } = world.core;
  const ids: string[] = [];
  for (const { cid } of two) {
    const from = scalar((await campaignNow(world, cid))['name']);
    const changes = [{ field: 'name', from, to: 'Summer' }];
    ids.push((await proposeUpdate(handlers, { cid, changes })).id);
  }
  const together = await handlers['proposals.reviewTogether']({ ids });
  await approved(world, together.id);
  const made = await undo(world, together.id);
  expect(await get(world, made.id)).toMatchObject({ operation: 'batch', undo: { undoes: together.id } });
  await approved(world, made.id);
  for (const { cid, name } of two) expect(await campaignNow(world, cid)).toMatchObject({ name });

  const back = await undo(world, made.id);
  await approved(world, back.id);
  for (const { cid } of two) expect(await campaignNow(world, cid)).toMatchObject({ name: 'Summer' });
  // The first change is in effect again.
  expect((await get(world, together.id)).undo).toMatchObject({ undoneBy: null, canUndo: true });
  expect((await get(world, made.id)).undo).toMatchObject({ undoneBy: { id: back.id } });
});

test('a field that someone else changed since is skipped, and the undo names it', async () => {
  const world = await createWorld();
  const { cid, name } = await running(world);
  const id = await sets(world, cid, { payout: 0.31, name: 'Summer' });
  await changeElsewhere(world, cid, { payout: 0.42 });
  const made = await undo(world, id);
  const { changes, risk } = await get(world, made.id);
  expect(changes.map(({ field }) => field)).toEqual(['name']);
  expect(risk.notes[0]).toMatch(
    /^Bid of .+ is left as it is\. It is \$0\.420 now; this change left \$0\.310\.$/,
  );
  await approved(world, made.id);
  expect(await campaignNow(world, cid)).toMatchObject({ payout: 0.42, name });
});

test('an undo is refused with the reason if the value was changed elsewhere or restored already', async () => {
  const world = await createWorld();
  const { cid } = await running(world);
  const id = await sets(world, cid, { payout: 0.31 });
  await changeElsewhere(world, cid, { payout: 0.42 });
  await expect(undo(world, id)).rejects.toMatchObject({
    code: 'nothing_to_reverse',
    message: expect.stringMatching(/It is \$0\.420 now; this change left \$0\.310\./) as string,
  });
});

test('a waiting undo is shown instead of making a second undo, even if two are requested at once', async () => {
  const world = await createWorld();
  const { cid } = await running(world);
  const id = await sets(world, cid, { payout: 0.31 });
  const [one, two] = await Promise.all([undo(world, id), undo(world, id)]);
  expect(two.id).toBe(one.id);
  expect((await undo(world, id)).id).toBe(one.id);
  expect((await get(world, id)).undo).toMatchObject({ undoneBy: { id: one.id }, canUndo: true });
  await world.deny(await world.look(one.id));
  expect((await get(world, id)).undo).toMatchObject({ undoneBy: null, canUndo: true });
  expect((await undo(world, id)).id).not.toBe(one.id);
});

test('an undo that is proposed again on a changed campaign is still the undo of its change', async () => {
  const world = await createWorld();
  const { cid } = await running(world);
  const id = await sets(world, cid, { payout: 0.31 });
  const made = await undo(world, id);
  const display = await world.look(made.id);
  await changeElsewhere(world, cid, { name: 'Renamed' });
  const { again } = await world.approve(display);
  const successor = again?.proposal;
  expect(successor).toMatchObject({
    title: expect.stringMatching(/^To undo: /) as string,
    undo: { undoes: id },
  });
  const restarted = await world.restart();
  expect((await get(restarted, id)).undo).toMatchObject({ undoneBy: { id: successor?.id } });
});

test('an expired member of an undo is still the undo of its change when it is prepared again', async () => {
  const world = await createWorld();
  const { handlers } = world.core;
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const ids: string[] = [];
  for (const { cid, name: from } of data.slice(0, 2)) {
    const changes = [{ field: 'name', from, to: 'Summer' }];
    ids.push((await proposeUpdate(handlers, { cid, changes })).id);
  }
  const together = await handlers['proposals.reviewTogether']({ ids });
  await approved(world, together.id);
  const made = await undo(world, together.id);
  const { detail } = await get(world, made.id);
  if (detail.kind !== 'batch') throw new Error('Two campaigns are two writes');
  world.clock.advance(25 * 60 * 60_000);
  expect(await get(world, made.id)).toMatchObject({ state: 'expired' });
  const again = await handlers['proposals.prepareAgain']({ id: detail.members[0]?.id ?? '' });
  expect(await get(world, again.id)).toMatchObject({
    title: expect.stringMatching(/^To undo: /) as string,
    undo: { undoes: together.id },
  });
  expect((await get(world, together.id)).undo).toMatchObject({ undoneBy: { id: again.id } });
});

test('a change by an agent’s tool is undone by a person’s own change, to which the agent’s limits do not apply', async () => {
  const world = await createAgentWorld();
  const { request, cid } = await prepareBid(world);
  const before = await campaignOfAgent(world, cid);
  const { id } = await world.gate.agents.propose(request);
  expect(await world.approve(id)).toMatchObject({ state: 'verified' });
  const made = await world.gate.undo(id);
  expect(made).toMatchObject({
    operation: 'campaign.update',
    proposedBy: { kind: 'person', agentId: null },
    undo: { undoes: id },
  });
  expect(await world.approve(made.id)).toMatchObject({ state: 'verified' });
  expect(await campaignOfAgent(world, cid)).toEqual(before);
});

test('the window that approved a change can undo it once, and no other display can', async () => {
  const world = await createWorld();
  const { confirmation } = world.core;
  const { cid, payout } = await running(world);
  const changes = [{ field: 'payout', from: payout, to: 0.31 }];
  const { id } = await proposeUpdate(world.core.handlers, { cid, changes });
  const display = await world.look(id);
  const unknown = { code: 'display_unknown' };
  await expect(confirmation.undo(display)).rejects.toMatchObject(unknown);
  await world.approve(display);
  await expect(confirmation.undo({ ...display, nonce: 'guessed' })).rejects.toMatchObject(unknown);
  const shown = world.shown.length;
  const next = await confirmation.undo(display);
  expect(next.proposal).toMatchObject({ undo: { undoes: id } });
  expect(world.shown).toHaveLength(shown);
  await expect(confirmation.undo(display)).rejects.toMatchObject(unknown);
  confirmation.seen(next);
  world.clock.advance(armingDelayMs);
  expect((await world.approve(next)).proposal).toMatchObject({ state: 'verified' });
  expect(await campaignNow(world, cid)).toMatchObject({ payout });
});

test('a window whose change was denied has nothing to undo, and a window whose undo was impossible can try again', async () => {
  const world = await createWorld();
  const { confirmation } = world.core;
  const { cid, name, payout } = await running(world);
  const propose = async (to: number): Promise<Display> => {
    const from = scalar((await campaignNow(world, cid))['payout']);
    const changes = [{ field: 'payout', from, to }];
    return world.look((await proposeUpdate(world.core.handlers, { cid, changes })).id);
  };
  const denied = await propose(0.31);
  await world.deny(denied);
  await expect(confirmation.undo(denied)).rejects.toMatchObject({ code: 'display_unknown' });
  const written = await propose(0.31);
  await world.approve(written);
  await changeElsewhere(world, cid, { payout: 0.42 });
  await expect(confirmation.undo(written)).rejects.toMatchObject({ code: 'nothing_to_reverse' });
  await changeElsewhere(world, cid, { payout: 0.31, name: 'Renamed' });
  const next = await confirmation.undo(written);
  expect(next.proposal.changes).toMatchObject([{ field: 'payout' }]);
  expect(name).not.toBe('Renamed');
  expect(payout).not.toBe(0.31);
});

test('a change whose details were removed cannot be undone, and says so', async () => {
  const world = await createWorld();
  const { cid } = await running(world);
  const id = await sets(world, cid, { payout: 0.31 });
  await world.core.handlers['ledger.setRetentionDays']({ days: 7 });
  world.clock.setForward(9 * 24 * 60 * 60_000);
  world.clock.advance(24 * 60 * 60_000);
  await eventually(async () => expect((await get(world, id)).prunedAtMs).not.toBeNull());
  expect(await get(world, id)).not.toHaveProperty('undo');
  await expect(undo(world, id)).rejects.toMatchObject({
    code: 'undo_impossible',
    message: expect.stringMatching(/details were removed/) as string,
  });
});

test('an unknown proposal, one that was not verified, and the admission of an agent cannot be undone', async () => {
  const world = await createWorld();
  await expect(undo(world, 'none')).rejects.toMatchObject({ code: 'proposal_not_found' });
  const { cid } = await running(world);
  const waiting = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  expect(await get(world, waiting.id)).not.toHaveProperty('undo');
  await expect(undo(world, waiting.id)).rejects.toMatchObject({ code: 'undo_impossible' });
  await admitAgent(world);
  const { items } = await world.core.handlers['proposals.list']({ which: 'past', before: null, limit: 10 });
  const admission = items.find(({ operation }) => operation === 'agent.admit');
  expect(admission).toMatchObject({ state: 'verified' });
  const { id = '' } = admission ?? {};
  expect(await get(world, id)).not.toHaveProperty('undo');
  await expect(undo(world, id)).rejects.toMatchObject({
    code: 'undo_impossible',
    message: expect.stringMatching(/Agents page/) as string,
  });
});

test('a change is undone in its own profile, whichever profile is active', async () => {
  const world = await openDesktop();
  const { cid, payout } = await running(world);
  const id = await sets(world, cid, { payout: 0.31 });
  const live = await openLive();
  await addMember(world, live);
  const made = await undo(world, id);
  expect(await get(world, made.id)).toMatchObject({ profile: { kind: 'demo' }, undo: { undoes: id } });
  await approved(world, made.id);
  expect(await campaignNow(world, cid)).toMatchObject({ payout });
  expect(live.backend.requestLog().filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a change of several statuses restores each campaign’s own status, and a member that is proposed again is still part of the undo', async () => {
  const world = await createWorld();
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const active = data.find(({ status }) => status === 1);
  const scheduled = data.find(({ status }) => status === 4);
  if (active === undefined || scheduled === undefined) throw new Error('The demo account has both');
  const id = await pauses(world, [active.cid, scheduled.cid]);
  const made = await undo(world, id);
  const display = await world.look(made.id);
  expect(display.proposal).toMatchObject({ operation: 'batch', undo: { undoes: id } });
  await changeElsewhere(world, active.cid, { d_revenue: 12.5 });
  const { proposal } = await world.approve(display);
  expect(await campaignNow(world, scheduled.cid)).toMatchObject({ status: 4 });
  if (proposal.detail.kind !== 'batch') throw new Error('Two statuses are two writes');
  const stale = proposal.detail.members.find(({ state }) => state === 'stale');
  const { replacedBy } = await get(world, stale?.id ?? '');
  expect(await get(world, replacedBy ?? '')).toMatchObject({ state: 'proposed', undo: { undoes: id } });
  expect((await get(world, id)).undo).toMatchObject({ undoneBy: { id: replacedBy }, canUndo: true });
  await approved(world, replacedBy ?? '');
  expect(await campaignNow(world, active.cid)).toMatchObject({ status: 1 });
  expect((await get(world, id)).undo).toMatchObject({ canUndo: false });
});

test('the last changes of a campaign are listed newest first, each with its undo', async () => {
  const world = await createWorld();
  const { cid } = await running(world);
  const first = await sets(world, cid, { payout: 0.31 });
  const second = await sets(world, cid, { name: 'Summer' });
  const made = await undo(world, second);
  const { items } = await world.core.handlers['campaigns.changes']({ cid });
  expect(items).toMatchObject([
    { id: second, state: 'verified', by: { kind: 'person' }, undo: { undoneBy: { id: made.id } } },
    { id: first, undo: { canUndo: true, undoneBy: null } },
  ]);
  await approved(world, made.id);
  const after = await world.core.handlers['campaigns.changes']({ cid });
  expect(after.items.map(({ id }) => id)).toEqual([made.id, second, first]);
  expect(after.items[0]).toMatchObject({ undo: { undoes: second } });
});

test('an agent cannot undo: no tool for it is listed, and calling one is refused', async () => {
  const world = await createWorld();
  const agent = await admitAgent(world);
  const { cid } = await running(world);
  const id = await sets(world, cid, { payout: 0.31 });
  const { tools } = await agent.client.listTools();
  expect(tools.length).toBeGreaterThan(5);
  expect(
    tools.filter(({ name, description = '' }) => /undo|revers|take back/i.test(name + description)),
  ).toEqual([]);
  const count = await waitingCount(world);
  for (const name of ['countersign_undo', 'proposals.undo', 'svc_undo', 'undo']) {
    const answer = await agent.call(name, { id, proposalId: id }).catch((failure: unknown) => failure);
    expect(answer instanceof Error || (answer as { isError?: boolean }).isError, name).toBe(true);
  }
  expect(await waitingCount(world)).toBe(count);
  expect((await get(world, id)).undo).toMatchObject({ undoneBy: null });
});

async function waitingCount(world: World): Promise<number> {
  return (await world.core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 50 })).total;
}
