import { describe, expect, test } from 'vitest';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import {
  callOf,
  campaignNow,
  claude,
  codex,
  createAgentWorld,
  prepare,
  type AgentWorld,
} from '../tool-call/agent-world.ts';
import { sentence } from '#shared/lib/sentence.ts';

const waiting = (world: AgentWorld): string[] =>
  world.gate.list({ which: 'waiting', before: null, limit: 200 }).items.map(({ id }) => id);

async function running(world: AgentWorld, count: number): Promise<{ cid: number; payout: number }[]> {
  const { data } = await world.connection.member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const found = data.filter(({ status, payout }) => status === 1 && payout < 1).slice(0, count);
  expect(found).toHaveLength(count);
  return found;
}

async function bids(
  world: AgentWorld,
  campaigns: readonly { cid: number; payout: number }[],
  agent = claude,
): Promise<ProposalView[]> {
  const made: ProposalView[] = [];
  for (const { cid, payout } of campaigns) {
    const changes = { payout: Number((payout * 0.9).toFixed(6)) };
    const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', { cid, changes });
    made.push(await world.gate.agents.propose(callOf('svc_commit', args, { prepared, agent })));
  }
  return made;
}

function rowsOf(world: AgentWorld, proposalId: string): ReturnType<AgentWorld['ledger']['list']>['items'] {
  return world.ledger
    .list({ beforeSeq: null, limit: 50, filter: { ...everyRow, proposalId } })
    .items.toReversed();
}

describe('one batch of several agents’ commits', () => {
  test('answers each call separately and names the agents', async () => {
    const world = await createAgentWorld({ campaigns: 24 });
    const [first, second, third] = await running(world, 3);
    const members = [...(await bids(world, [first!, second!])), ...(await bids(world, [third!], codex))];
    const waits = members.map(({ id }) => world.gate.agents.untilSettled(id, new AbortController().signal));
    const batch = await world.gate.proposeTogether(members.map(({ id }) => id));
    expect(batch).toMatchObject({
      title: 'Lower bids by 10%: 3 changes',
      proposedBy: { kind: 'person' },
      detail: {
        kind: 'batch',
        askedBy: [
          { kind: 'agent', name: 'Claude Code' },
          { kind: 'agent', name: 'Codex' },
        ],
      },
    });
    expect(await world.approve(batch.id)).toMatchObject({ state: 'done', outcome: { message: '3 stored.' } });
    expect((await Promise.all(waits)).map(({ state }) => state)).toEqual([
      'verified',
      'verified',
      'verified',
    ]);
    for (const { id } of members) expect(world.gate.agents.answerOf(id)).not.toBeNull();
  });

  test('names the agents in the list and in every ledger row, and its first row names the person', async () => {
    const world = await createAgentWorld({ campaigns: 24 });
    const [first, second] = await running(world, 2);
    const members = [...(await bids(world, [first!])), ...(await bids(world, [second!], codex))];
    const { id } = await world.gate.proposeTogether(members.map((member) => member.id));
    const askedBy = [
      { kind: 'agent', name: 'Claude Code' },
      { kind: 'agent', name: 'Codex' },
    ];
    const listed = (which: 'waiting' | 'past') =>
      world.gate.list({ which, before: null, limit: 10 }).items.find((item) => item.id === id);
    expect(listed('waiting')).toMatchObject({ askedBy });
    await world.approve(id);
    expect(listed('past')).toMatchObject({ askedBy });
    expect(world.gate.list({ which: 'past', before: null, limit: 10 }).items.at(-1)).toMatchObject({
      askedBy: null,
    });
    const rows = rowsOf(world, id);
    expect(rows[0]).toMatchObject({
      actor: 'You',
      summary: expect.stringMatching(
        /^Put together: .+: 2 changes, asked for by “Claude Code” and “Codex”$/,
      ) as string,
    });
    for (const { summary } of rows) expect(summary).toContain('asked for by “Claude Code” and “Codex”');
  });

  test('loses the members of an agent that is revoked, and ends when none are left', async () => {
    const world = await createAgentWorld({ campaigns: 24 });
    const members = await bids(world, await running(world, 2));
    const batch = await world.gate.proposeTogether(members.map(({ id }) => id));
    world.gate.agents.withdrawAll(claude.id, 'proposal_withdrawn');
    await expect(world.approve(batch.id)).rejects.toMatchObject({ code: 'batch_over' });
    expect(world.gate.get(batch.id).state).toBe('withdrawn');
    expect(waiting(world)).toEqual([]);
  });
});

describe('several writes proposed by the app', () => {
  test('form one batch that lists what it skips, and each write is sent separately', async () => {
    const world = await createAgentWorld({ campaigns: 24 });
    const [first, second, third] = await running(world, 3);
    const batch = await world.gate.proposeSeveral({
      equally: sentence`Bring back what agents changed`,
      updates: [
        { cid: first!.cid, changes: [{ field: 'name', from: await nameOf(world, first!.cid), to: 'Back' }] },
      ],
      statuses: [{ cids: [second!.cid, third!.cid], status: 3 }],
      skipped: [{ what: sentence`Campaign 7`, because: sentence`Somebody else changed it since.` }],
    });
    expect(batch).toMatchObject({
      title: 'Bring back what agents changed: 2 changes',
      detail: { skipped: [{ what: 'Campaign 7' }] },
    });
    expect(waiting(world)).toEqual([batch.id]);
    expect(rowsOf(world, batch.id)[0]?.summary).toBe('Proposed: Bring back what agents changed: 2 changes');
    expect(await world.approve(batch.id)).toMatchObject({ state: 'done', outcome: { message: '2 stored.' } });
    expect(await campaignNow(world, first!.cid)).toMatchObject({ name: 'Back' });
    expect(await campaignNow(world, third!.cid)).toMatchObject({ status: 3 });
  });

  test('are all proposed or none is', async () => {
    const world = await createAgentWorld({ campaigns: 24 });
    const [first] = await running(world, 1);
    const request = { equally: sentence`Resume`, updates: [], skipped: [] };
    const statuses = [
      { cids: [first!.cid], status: 3 as const },
      { cids: [999_999_999], status: 3 as const },
    ];
    await expect(world.gate.proposeSeveral({ ...request, statuses })).rejects.toMatchObject({
      code: 'campaign_not_found',
    });
    await expect(world.gate.proposeSeveral({ ...request, statuses: [] })).rejects.toMatchObject({
      code: 'nothing_to_change',
    });
    expect(waiting(world)).toEqual([]);
  });
});

async function nameOf(world: AgentWorld, cid: number): Promise<string> {
  return String((await campaignNow(world, cid))['name']);
}
