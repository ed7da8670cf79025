import { describe, expect, test } from 'vitest';
import { limitClockOf } from '#test/servers/limit-clock.ts';
import { createFreeze, createGuardrails, type GuardrailSettings } from '#core/agents/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import { admittedAgent } from '#test/fixtures/agent.ts';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { claude, createAgentWorld, prepareBid, type AgentWorld } from '../tool-call/agent-world.ts';
import { noPolicy } from '#test/servers/no-policy.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** Makes an agent's prepared bid that awaits a person, with the real limits of agents. */
async function waitingBid() {
  let limits: GuardrailSettings | null = null;
  const state = { isAdmitted: true, beforeSending() {} };
  const guard = () => {
    if (limits === null) throw new Error('Agents have no limits yet');
    return limits.guard;
  };
  const world: AgentWorld = await createAgentWorld({
    guard: {
      assertAllowed: (asked) => guard().assertAllowed(asked),
      assertMaySend(asked) {
        state.beforeSending();
        guard().assertMaySend(asked);
      },
    },
  });
  const { store, ledger, clock } = world;
  const agent = { ...admittedAgent, id: claude.id, profileId: claude.profileId };
  const freeze = createFreeze({ policy: noPolicy, store, ledger, clock, onChange() {} });
  limits = createGuardrails({
    policy: noPolicy,
    store,
    ledger,
    limitClock: limitClockOf(clock),
    agents: { living: () => (state.isAdmitted ? agent : null) },
    freeze,
    onChange() {},
    formats: () => defaultFormats,
  });
  const { request, cid } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  const tighten = (tighter: Partial<Guardrails>): void => {
    const { profileId } = claude;
    limits.set(profileId, { base: limits.get(profileId), guardrails: { ...noGuardrails, ...tighter } });
  };
  return { world, id, cid, state, freeze, tighten };
}

type Waiting = Awaited<ReturnType<typeof waitingBid>>;

describe('an approved change of an agent is sent only within the current limits,', () => {
  test.for<[what: string, change: (waiting: Waiting) => void, code: string]>([
    [
      'the quiet hours have begun',
      ({ tighten }) => tighten({ quietHours: { fromHour: 0, untilHour: 0 } }),
      'guardrail',
    ],
    ['the campaign is now protected', ({ tighten, cid }) => tighten({ untouchable: [cid] }), 'guardrail'],
    ['the raise now exceeds the limit', ({ tighten }) => tighten({ maxBidFactor: 1 }), 'guardrail'],
    ['the agent was revoked', ({ state }) => void (state.isAdmitted = false), 'agent_unknown'],
    ['agents are frozen', ({ freeze }) => freeze.freeze(), 'agents_frozen'],
    [
      'agents were frozen briefly since the approval, even if the clock was set back before',
      ({ state, freeze, world: { clock } }) => {
        state.beforeSending = () => {
          clock.setForward(-60 * 60_000);
          freeze.freeze();
          freeze.thaw();
        };
      },
      'agents_frozen',
    ],
  ])('and refused if %s', async ([, change, code]) => {
    const waiting = await waitingBid();
    const { world, id } = waiting;
    const display = await world.look(id);
    change(waiting);
    const decided = await world.decide(display, { decision: 'approve', reason: null });
    expect(decided).toMatchObject({ state: 'withdrawn', outcome: { code } });
    expect(world.wire.callsOf('svc_commit')).toHaveLength(0);
  });

  test('but the pace limits do not count it a second time', async () => {
    const { world, id, tighten } = await waitingBid();
    tighten({ pace: { changes: 1, minutes: 60 }, spendPace: { micros: '0', hours: 24 } });
    expect(await world.approve(id)).toMatchObject({ state: 'verified' });
  });
});
