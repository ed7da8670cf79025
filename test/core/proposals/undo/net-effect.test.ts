import { describe, expect, test } from 'vitest';
import type { AppOutput, ProposalView } from '#shared/app-api/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, type World } from '../world.ts';
import { asAgent } from './agent-writes.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { withStore } from '#test/servers/stores.ts';

type Batch = Extract<ProposalView['detail'], { kind: 'batch' }>;

const everything: { agentId: string | null; sinceMs: number } = { agentId: null, sinceMs: 0 };

/** Approves a change of these fields and attributes it to an agent. */
async function agentSets(
  world: World,
  cid: number,
  fields: Record<string, JsonValue>,
  agent = 'Ada',
): Promise<void> {
  const now = await campaignNow(world, cid);
  const changes = Object.entries(fields).map(([field, to]) => ({ field, from: now[field], to }));
  const { id } = await proposeUpdate(world.core.handlers, { cid, changes });
  await approved(world, id);
  await expect
    .poll(async () => (await world.core.handlers['drafts.get']({ cids: [cid] })).campaigns)
    .toEqual([]);
  asAgent(world, id, agent);
}

async function agentPauses(world: World, cids: number[], agent = 'Ada'): Promise<void> {
  const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
  await approved(world, id);
  asAgent(world, id, agent);
}

async function approved(world: World, id: string): Promise<void> {
  const { proposal } = await world.approve(await world.look(id));
  expect(proposal.state).toMatch(/verified|done/);
}

/** Calls `run` between the core's next write and the read after it. */
function afterNextPut(world: World, run: () => Promise<void>): void {
  world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', run });
}

function memberStates({ detail }: ProposalView): string[] {
  return detail.kind === 'batch' ? detail.members.map(({ state }) => state) : [];
}

async function netEffect(world: World, query = everything): Promise<AppOutput<'ledger.netEffect'>['items']> {
  return (await world.core.handlers['ledger.netEffect'](query)).items;
}

async function reversal(world: World): Promise<{ id: string; batch: Batch }> {
  const { id } = await world.core.handlers['ledger.reverse'](everything);
  const { detail } = await world.core.handlers['proposals.get']({ id });
  if (detail.kind !== 'batch') throw new Error('A reversal is a batch');
  return { id, batch: detail };
}

/** Two agents raise a bid; one of them renames the campaign, and the other pauses it a minute later. */
async function changedByAgents(): Promise<{ world: World; cid: number }> {
  const world = await createWorld();
  const { cid, payout } = await findCampaign(world, (row) => row.status === 1 && row.payout < 0.5);
  await agentSets(world, cid, { payout: payout * 1.1, name: 'Summer' }, 'Ada');
  await agentSets(world, cid, { payout: payout * 1.2 }, 'Bob');
  world.clock.advance(60_000);
  await agentPauses(world, [cid], 'Bob');
  return { world, cid };
}

describe('a change whose stored details cannot be read', () => {
  /** A campaign that an agent has changed twice. The details of the second change are damaged. */
  async function withUnreadable(): Promise<{ world: World; cid: number; unreadable: string }> {
    const world = await createWorld();
    const { cid } = await findCampaign(world, (row) => row.status === 1);
    await agentSets(world, cid, { name: 'Of an agent' });
    const unreadable = withStore(world.folder, ({ proposals }) => {
      const [id = ''] = proposals.written({ profileId: 'demo', sinceMs: 0 });
      const written = proposals.find(id);
      if (written === null) throw new Error(`There is no proposal ${id}`);
      const { intentAtMs } = written;
      const damaged = {
        ...written,
        id: `${id}-2`,
        intentAtMs: (intentAtMs ?? 0) + 1,
        base: '{"campaign":{}}',
      };
      proposals.insert(damaged);
      return damaged.id;
    });
    return { world, cid, unreadable };
  }

  test('is counted, and all others are listed', async () => {
    const { world, cid } = await withUnreadable();
    const { items, unreadableCount } = await world.core.handlers['ledger.netEffect'](everything);
    expect(items.map((item) => item.cid)).toEqual([cid]);
    expect(unreadableCount).toBe(1);
    const ofAnother = { ...everything, agentId: 'agent-Bob' };
    expect(await world.core.handlers['ledger.netEffect'](ofAnother)).toMatchObject({ unreadableCount: 0 });
  });

  test('is named among what a reversal skips', async () => {
    const { batch } = await reversal((await withUnreadable()).world);
    expect(batch.members).toHaveLength(1);
    expect(batch.skipped).toEqual([{ what: '1 change', because: 'The stored details can’t be read.' }]);
  });

  test('explains what is wrong with it, and its campaign can still be changed', async () => {
    const { world, cid, unreadable } = await withUnreadable();
    await expect(world.core.handlers['proposals.get']({ id: unreadable })).rejects.toMatchObject({
      code: 'proposal_unreadable',
    });
    await agentSets(world, cid, { name: 'Changed again' });
  });
});

describe('the net effect of agents', () => {
  test('is combined per field: from the first value to the last, with its steps and agents', async () => {
    const { world, cid } = await changedByAgents();
    const items = await netEffect(world);
    expect(items.map(({ change, steps, agents }) => [change.label, change.factor, steps, agents])).toEqual([
      ['Name', null, 1, ['Ada']],
      ['Bid', '×1.2', 2, ['Ada', 'Bob']],
      ['Status', null, 1, ['Bob']],
    ]);
    expect(items.at(-1)).toMatchObject({ cid, change: { before: 'Active', after: 'Paused' } });
  });

  test('can be limited to one agent and to a start time', async () => {
    const { world } = await changedByAgents();
    const ofAda = await netEffect(world, { agentId: 'agent-Ada', sinceMs: 0 });
    expect(ofAda.map(({ change }) => [change.label, change.factor])).toEqual([
      ['Name', null],
      ['Bid', '×1.1'],
    ]);
    const late = await netEffect(world, { agentId: null, sinceMs: world.clock.nowMs() - 30_000 });
    expect(late.map(({ change }) => change.label)).toEqual(['Status']);
  });
});

describe('a person’s later decision removes a field from the net effect of agents', () => {
  test('when it changes the status of several campaigns', async () => {
    const { world, cid } = await changedByAgents();
    const { cid: other } = await findCampaign(world, (one) => one.status === 3 && one.cid !== cid);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid, other], status: 1 });
    await approved(world, id);
    expect((await netEffect(world)).map(({ change }) => change.label)).toEqual(['Name', 'Bid']);
  });

  test('but not while it waits and not when it was not stored', async () => {
    const { world, cid } = await changedByAgents();
    const before = await netEffect(world);
    const now = await campaignNow(world, cid);
    const { id } = await proposeUpdate(world.core.handlers, {
      cid,
      changes: [{ field: 'name', from: now['name'], to: 'Refused' }],
    });
    expect(await netEffect(world)).toEqual(before);
    const display = await world.look(id);
    world.service.faults.arm({ kind: 'answer', status: 422, method: 'PUT' });
    expect((await world.approve(display)).proposal.state).toBe('refused');
    expect(await netEffect(world)).toEqual(before);
  });
});

describe('the reversal of the net effect', () => {
  test('is one reviewed batch that restores every value, after which nothing is left', async () => {
    const world = await createWorld();
    const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
    const [first, second, third] = data.filter(({ status, payout }) => status === 1 && payout < 0.5);
    if (!first || !second || !third) throw new Error('The demo account runs three campaigns');
    await changeElsewhere(world, first.cid, { geo_enabled: 0, geo: ['DE', 'FR'] });
    const before = await campaignNow(world, first.cid);
    await agentSets(world, first.cid, { payout: first.payout * 1.5, geo_enabled: 1 });
    await agentSets(world, first.cid, { payout: first.payout * 1.2 });
    await agentPauses(world, [first.cid, second.cid, third.cid]);

    const puts = world.puts();
    const { id, batch } = await reversal(world);
    expect(batch.skipped).toEqual([]);
    expect(batch.members.map(({ targets }) => targets.map(({ cid }) => cid))).toEqual([
      [second.cid, third.cid],
      [first.cid],
    ]);
    expect(world.puts()).toBe(puts);
    await approved(world, id);
    expect(await campaignNow(world, first.cid)).toEqual(before);
    expect(await campaignNow(world, second.cid)).toMatchObject({ status: 1 });

    expect(await netEffect(world)).toEqual([]);
    const later = await world.restart();
    expect(await netEffect(later)).toEqual([]);
    await expect(later.core.handlers['ledger.reverse'](everything)).rejects.toMatchObject({
      code: 'nothing_to_reverse',
    });
    expect(await netEffect(later, { agentId: 'agent-Ada', sinceMs: 0 })).toEqual([]);
  });

  test('leaves only the fields whose reversal was not stored', async () => {
    const world = await createWorld();
    const { cid, payout } = await findCampaign(world, (one) => one.status === 1 && one.payout < 0.5);
    await agentSets(world, cid, { payout: payout * 1.1, name: 'Summer' });
    const { id } = await reversal(world);
    const display = await world.look(id);
    afterNextPut(world, () => changeElsewhere(world, cid, { name: 'Of somebody else' }));
    const { proposal } = await world.approve(display);
    expect(memberStates(proposal)).toEqual(['differs']);

    expect((await netEffect(world)).map(({ change }) => change.label)).toEqual(['Name']);
    await expect(world.core.handlers['ledger.reverse'](everything)).rejects.toMatchObject({
      code: 'nothing_to_reverse',
      message: expect.stringMatching(/: It is “Of somebody else” now; agents left “Summer”\.$/) as string,
    });
  });

  test('is refused when others changed every field, with the first reason and the number of further reasons', async () => {
    const { world, cid } = await changedByAgents();
    await changeElsewhere(world, cid, { payout: 0.9, name: 'Elsewhere', status: 2 });
    await expect(world.core.handlers['ledger.reverse'](everything)).rejects.toMatchObject({
      code: 'nothing_to_reverse',
      message: expect.stringMatching(/: It is .+ now; agents left .+ The same goes for 2 more\.$/) as string,
    });
  });

  test('skips and lists what others changed, what was deleted and what members cannot set', async () => {
    const world = await createWorld({ campaigns: 100 });
    const row = await findCampaign(world, ({ status, payout }) => status === 1 && payout < 0.5);
    const pending = await findCampaign(world, ({ status }) => status === 0);
    await agentSets(world, row.cid, { payout: row.payout * 1.5, name: 'Summer' });
    await agentPauses(world, [pending.cid]);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [row.cid], status: 3 });
    await approved(world, id);
    asAgent(world, id, 'Ada', { from: row.cid, to: 999_999 });
    await changeElsewhere(world, row.cid, { payout: row.payout * 2 });

    const { batch } = await reversal(world);
    expect(batch.members).toHaveLength(1);
    expect(batch.members[0]?.changes.map(({ label, after }) => [label, after])).toEqual([['Name', row.name]]);
    expect(batch.skipped).toEqual([
      {
        what: `Bid of “${row.name}” (${row.cid})`,
        because: expect.stringMatching(/^It is \$\S+ now; agents left \$\S+\.$/) as string,
      },
      {
        what: `Status of “${pending.name}” (${pending.cid})`,
        because: 'Members cannot set a campaign to Pending.',
      },
      { what: `“Summer” (999999)`, because: 'The campaign is gone.' },
    ]);
  });

  test('is refused when there is nothing to reverse, and records nothing', async () => {
    const world = await createWorld();
    const { rows } = await world.core.handlers['ledger.report']({});
    await expect(world.core.handlers['ledger.reverse'](everything)).rejects.toMatchObject({
      code: 'nothing_to_reverse',
    });
    expect((await world.core.handlers['ledger.report']({})).rows).toBe(rows);
  });
});
