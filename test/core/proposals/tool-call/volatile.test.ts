import { describe, expect, test, vi } from 'vitest';
import type { Comparison } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { callOf, createAgentWorld, prepare, type AgentWorld } from './agent-world.ts';
import { type AskedCall, notCompared, rememberedMs } from '#core/proposals/operations/tool-call/prepare.ts';

interface Restless {
  world: AgentWorld;
  cid: number;
  bid: number;
  /** Fields that every read returns from now on, whatever the service has stored. */
  says: JsonObject;
}

/** A service that returns another value of these fields at every read. */
async function restless(fields: Record<string, (read: number) => JsonValue>): Promise<Restless> {
  const world = await createAgentWorld();
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  const row = data.find(({ status, payout, daily_budget }) => status === 1 && payout < 1 && daily_budget > 0);
  const found = { world, cid: row?.cid ?? 0, bid: row?.payout ?? 0, says: {} };
  const { campaigns } = world.connection;
  const get = campaigns.get.bind(campaigns);
  let reads = 0;
  vi.spyOn(campaigns, 'get').mockImplementation(async (cid) => {
    const read = await get(cid);
    reads += 1;
    const moved = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value(reads)]));
    const campaign = { ...read.edit.campaign, ...moved, ...found.says };
    return { raw: { ...read.raw, campaign }, edit: { ...read.edit, campaign } };
  });
  return found;
}

const notes = { keywords_blocklist: (read: number) => `seen ${read}` };

async function proposeBid({ world, cid, bid }: Restless, more: JsonObject = {}): Promise<ProposalView> {
  const changes = { payout: Number((bid * 1.1).toFixed(4)), ...more };
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', { cid, changes });
  return world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
}

async function approveTwice(asked: Restless, more: JsonObject = {}): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const { id, warnings } = await proposeBid(asked, more);
    expect(warnings.map(({ code }) => code)).not.toContain('volatile_field');
    expect(await asked.world.approve(id)).toMatchObject({ state: 'stale' });
  }
}

test('an agent can write a campaign with a field that changes on every read from its third attempt on', async () => {
  const asked = await restless(notes);
  await approveTwice(asked);
  expect(asked.world.wire.callsOf('svc_commit')).toEqual([]);
  const third = await proposeBid(asked);
  expect(third.warnings).toContainEqual({
    code: 'volatile_field',
    severity: 'warning',
    text: 'Blocked keywords keeps changing and is not compared. Approving sends the value shown here.',
  });
  const ended = await asked.world.approve(third.id);
  expect(ended).toMatchObject({ state: 'verified' });
  expect(ended.verdicts.find(({ field }) => field === 'payout')).toMatchObject({ verdict: 'stored' });
  expect(ended.verdicts.find(({ field }) => field === 'keywords_blocklist')).toMatchObject({
    verdict: 'unknown',
  });
});

test('all other fields are still compared, and the volatile field is compared again a day later', async () => {
  const asked = await restless(notes);
  await approveTwice(asked);
  for (const moved of [{ payout: 0.987 }, { name: 'Somebody else’s' }, { d_revenue: 999 }]) {
    asked.says = {};
    const { id, warnings } = await proposeBid(asked);
    expect(warnings.map(({ code }) => code)).toContain('volatile_field');
    asked.says = moved;
    const ended = await asked.world.approve(id);
    expect(ended.state).toBe('stale');
    expect(ended.conflict.map(({ field }) => field)).toEqual(Object.keys(moved));
  }
  asked.says = {};
  asked.world.clock.advance(rememberedMs);
  const later = await proposeBid(asked);
  expect(later.warnings.map(({ code }) => code)).not.toContain('volatile_field');
});

test('a field that the agent changes or that decides where money goes is compared however often it changes', async () => {
  const wanted = await restless(notes);
  await approveTwice(wanted, { keywords_blocklist: 'mine' });
  await approveTwice(wanted, { keywords_blocklist: 'mine' });
  const money = await restless({ d_revenue: (read) => 700 + read });
  await approveTwice(money);
  await approveTwice(money);
  expect(money.world.wire.callsOf('svc_commit')).toEqual([]);
});

test('another tool counts as changing every field that its arguments name', async () => {
  const asked = await restless(notes);
  const { world, cid } = asked;
  await approveTwice(asked);
  const call = (args: JsonObject) => world.gate.agents.propose(callOf('svc_save', { cid, ...args }));
  const named = await call({ changes: [{ field: 'keywords_blocklist' }] });
  expect(named.warnings.map(({ code }) => code)).not.toContain('volatile_field');
  expect(await world.approve(named.id)).toMatchObject({ state: 'stale' });
  const other = await call({ changes: { name: 'Another' } });
  expect(other.warnings).toContainEqual({
    code: 'volatile_field',
    severity: 'warning',
    text: 'Blocked keywords keeps changing and is not compared.',
  });
  // The call was sent, and refused because the service has no such tool.
  expect((await world.approve(other.id)).state).not.toBe('stale');
  expect(world.wire.callsOf('svc_save')).toHaveLength(1);
});

describe('a field is volatile or not:', () => {
  const { types, settings } = exampleContext();
  const campaign = exampleCampaign();
  const asked: AskedCall = {
    name: 'svc_commit',
    args: { payload: { ...campaign, payout: 0.05, title: 'Older' } },
    subject: { kind: 'update', read: { campaign, campaign_types: types, settings } as unknown as JsonObject },
    changes: ['payout'],
  };
  const stale = (...moved: string[]): Comparison => ({ isCall: true, moved, volatile: [] });
  const mine = (...volatile: string[]): Comparison => ({ isCall: false, moved: [], volatile });

  test.each<[string, Comparison[], string[]]>([
    ['nothing was compared', [], []],
    ['it changed once', [stale('title')], []],
    ['it changed twice', [stale('title'), stale('title')], ['title']],
    ['other fields changed with it', [stale('title', 'name'), stale('description', 'title')], ['title']],
    ['it changed twice together with money', [stale('title', 'd_revenue'), stale('title')], []],
    ['each time another field changed', [stale('title'), stale('name')], []],
    ['a write was sent in between', [stale('title'), stale(), stale('title')], []],
    ['a person’s change was sent in between', [stale('title'), mine(), stale('title')], []],
    ['it changed twice before', [stale(), stale('title'), stale('title')], ['title']],
    ['a person’s change named it as volatile', [mine('title')], ['title']],
    ['a person’s change named the bid', [mine('payout', 'status')], []],
    ['the campaign has no such field', [stale('hits'), stale('hits')], []],
  ])('%s', (_, comparisons, fields) => {
    expect(notCompared(asked, comparisons)).toEqual(fields);
  });

  test('it is not when the agent’s own changes are unknown or include it', () => {
    const twice = [stale('title'), stale('title')];
    expect(notCompared({ ...asked, changes: null }, twice)).toEqual([]);
    expect(notCompared({ ...asked, changes: ['title'] }, twice)).toEqual([]);
    expect(notCompared({ ...asked, name: 'svc_save' }, twice)).toEqual([]);
    expect(notCompared({ ...asked, subject: { kind: 'arguments' } }, twice)).toEqual([]);
    const { title } = campaign;
    const args = { payload: { ...campaign, payout: 0.05, title: title ?? '' } };
    expect(notCompared({ ...asked, args, changes: null }, twice)).toEqual(['title']);
  });
});
