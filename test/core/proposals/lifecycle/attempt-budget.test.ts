import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admissionBudget, changeBudget, waitMsOf } from '#core/proposals/proposing/agent-limits.ts';
import { createIds } from '#core/platform/ids.ts';
import { everyRow, type ProposalState } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { admitAgent } from '#test/core/proposals/admit.ts';
import { createWorld } from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { runs } from '#test/setup/property-runs.ts';
import { callOf, codex, createAgentWorld, prepareBid, type AgentWorld } from '../tool-call/agent-world.ts';

test('an agent’s attempts never exceed the size of its budget plus what was refilled, whatever their timing', () => {
  const bucket = { size: 5, refillMs: 1_000 };
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3_000 }), { maxLength: 60 }), (pauses) => {
      const spent: number[] = [];
      let nowMs = 1_000_000;
      for (const pause of pauses) {
        nowMs += pause;
        const waitMs = waitMsOf(bucket, spent, nowMs);
        if (waitMs === 0) spent.push(nowMs);
        else expect(waitMsOf(bucket, spent, nowMs + waitMs)).toBe(0);
        for (const fromMs of spent) {
          const since = spent.filter((atMs) => atMs >= fromMs);
          expect(since.length).toBeLessThanOrEqual(bucket.size + (nowMs - fromMs) / bucket.refillMs + 1e-6);
        }
      }
    }),
    runs(500),
  );
});

let attempts = 0;

/** Proposes until an attempt is refused, ends each proposal with `end`, and returns how many attempts passed. */
async function passing(
  world: AgentWorld,
  tries: number,
  end: (id: string) => unknown,
  agent = codex,
): Promise<{ passed: number; refusal: AppError | null }> {
  const { request } = await prepareBid(world);
  for (let passed = 0; passed < tries; passed += 1) {
    attempts += 1;
    const args = { ...request.args, idempotencyKey: `attempt-${attempts}` };
    const proposed = await world.gate.agents
      .propose({ ...callOf('svc_commit', args, { prepared: request.prepared }), agent })
      .catch((failure: unknown) => failure);
    if (proposed instanceof AppError) return { passed, refusal: proposed };
    await end((proposed as { id: string }).id);
  }
  return { passed: tries, refusal: null };
}

const rows = ({ store }: AgentWorld): number => store.ledger.count();

const leaving =
  ({ gate: { agents } }: AgentWorld) =>
  async (id: string): Promise<void> => {
    agents.abandon(id);
    await agents.untilSettled(id, AbortSignal.timeout(60_000));
  };

/** Makes one attempt of the agent, and records `count` in total that ended in this state. */
async function spend(world: AgentWorld, count: number, state: ProposalState): Promise<void> {
  const { store, clock } = world;
  await passing(world, 1, leaving(world));
  const { proposals } = store;
  const made = proposals.find(
    proposals.page({ which: 'settled', before: null, limit: 1 }).proposals[0]?.id ?? '',
  );
  if (made === null) throw new Error('Nothing was proposed');
  const { id } = createIds(() => clock.nowMs());
  store.transaction(() => {
    for (let at = 1; at < count; at += 1) proposals.insert({ ...made, id: id(), state });
  });
}

describe('an agent that proposes and then disconnects', () => {
  test('has a budget of attempts that survives a restart and refills, and attempts beyond it are counted in one ledger row', async () => {
    const world = await createAgentWorld();
    await spend(world, changeBudget.size - 2, 'expired');
    const first = await passing(world, 5, leaving(world));
    expect(first.passed).toBe(2);
    expect(first.refusal).toMatchObject({
      code: 'attempts_spent',
      message: 'Too many attempts ended without a decision. The next one is possible in 5 minutes.',
      data: { retryAfterSeconds: 300 },
    });
    const last = world.store.ledger.last();
    expect(last).toMatchObject({
      kind: 'agent.limited',
      summary: 'Limited: “Codex”, after 120 attempts without a decision',
    });
    expect(JSON.parse(last?.body ?? '')).toEqual({
      agent: codex.id,
      profile: 'demo',
      attempts: { withdrawn: 3, expired: changeBudget.size - 3 },
    });

    const restarted = await world.restart();
    const leave = leaving(restarted);
    const before = rows(restarted);
    for (let time = 0; time < 20; time += 1) expect((await passing(restarted, 1, leave)).passed).toBe(0);
    expect(rows(restarted)).toBe(before);
    // A changed wall clock does not refill the budget.
    restarted.clock.setForward(7 * changeBudget.refillMs);
    expect((await passing(restarted, 1, leave)).passed).toBe(0);
    restarted.clock.setForward(-7 * changeBudget.refillMs);
    restarted.clock.advance(changeBudget.refillMs);
    expect((await passing(restarted, 5, leave)).passed).toBe(1);
    // The day's row exists already.
    expect(rows(restarted)).toBe(before + 2);
    expect((await passing(restarted, 1, leave, { ...codex, id: 'agent-3' })).passed).toBe(1);
  });

  test.each<[ProposalState, boolean]>([
    ['withdrawn', true],
    ['expired', true],
    ['refused', true],
    ['denied', false],
    ['verified', false],
    ['stale', false],
  ])('many proposals that ended as %s use up the budget of attempts: %s', async (state, isLimited) => {
    const world = await createAgentWorld();
    await spend(world, changeBudget.size, state);
    expect((await passing(world, 1, leaving(world))).passed).toBe(isLimited ? 0 : 1);
  });
});

test('programs that request access and disconnect share one budget of attempts', async () => {
  const world = await createAgentWorld();
  const ask = (count: number): void => {
    const { id } = world.gate.proposeAdmission(
      {
        agentId: `agent-${count}`,
        clientId: `client-${count}`,
        name: `Program ${count}`,
        redirectHost: '127.0.0.1',
        scopes: ['svc:read'],
        renews: true,
        words: 'brisk otter',
      },
      { profileId: 'demo', endsAtMs: world.clock.nowMs() + 600_000 },
    );
    world.gate.takeBackAdmission(id);
  };
  for (let count = 0; count < admissionBudget.size; count += 1) ask(count);
  const before = rows(world);
  for (let count = 0; count < 10; count += 1)
    expect(() => ask(100 + count)).toThrow(expect.objectContaining({ code: 'attempts_spent' }) as Error);
  expect(rows(world)).toBe(before + 1);
  expect(world.store.ledger.last()).toMatchObject({
    summary: 'Limited: Requests for access, after 24 attempts without a decision',
  });
  world.clock.advance(admissionBudget.refillMs);
  ask(200);
});

test('no other action of an agent adds a row to the ledger', async () => {
  const world = await createWorld({ clock: createManualClock() });
  const agent = await admitAgent(world);
  const { handlers } = world.core;
  const count = async (): Promise<number> =>
    (await handlers['ledger.list']({ beforeSeq: null, limit: 1, filter: everyRow })).total;
  const cid = (
    await handlers['campaigns.page']({
      filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
      page: 1,
      perPage: 1,
    })
  ).rows[0]?.cid;
  const acts: Record<string, () => Promise<unknown>> = {
    'lists tools': () => agent.client.listTools(),
    'lists resources': () => agent.client.listResources(),
    'lists prompts': () => agent.client.listPrompts(),
    'reads campaigns': () => agent.call('svc_list_campaigns', {}),
    'reads tasks': () => agent.call('svc_list_tasks', {}),
    'prepares a change': () =>
      agent.call('svc_prepare_campaign_update', { cid, changes: { name: 'Another' } }),
    'prepares a task': () =>
      agent.call('svc_prepare_task', {
        name: 'Daily',
        kind: 'campaign_status',
        schedule: { type: 'daily', time: '09:00', timezone: 'UTC' },
        parameters: { cids: [cid ?? 0], status: 'paused' },
      }),
    'leaves a note': () => agent.call('countersign_note', { text: 'Because.' }),
    'waits for a proposal that is not there': () => agent.call('countersign_await', { id: 'none' }),
    'commits nothing': () => agent.call('svc_commit', {}),
    'calls a tool that is not there': () => agent.call('svc_nothing', {}).catch(() => null),
    'repeats a call that a guardrail refuses': () => agent.setStatus([], 'paused').catch(() => null),
  };
  // The first tool list of a profile is pinned, which adds a row.
  await agent.client.listTools();
  const before = await count();
  for (const [act, run] of Object.entries(acts)) {
    for (let time = 0; time < 5; time += 1) await run();
    expect(await count(), act).toBe(before);
  }
  await agent.leave();
  expect(await count(), 'ends its session').toBe(before);
});
