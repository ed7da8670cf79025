import { expect, test } from 'vitest';
import { limitClockOf } from '#test/servers/limit-clock.ts';
import { createGuardrails, type GuardrailSettings } from '#core/agents/index.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { viewOf } from '#core/profiles/index.ts';
import { createAgentLimits } from '#core/proposals/proposing/agent-limits.ts';
import { createDelivery, type Delivered } from '#core/proposals/delivery/deliver.ts';
import { createJournal } from '#core/proposals/lifecycle/create-journal.ts';
import type { Journal } from '#core/proposals/lifecycle/journal.ts';
import { createInFlightWindow, createUnrecorded } from '#core/proposals/lifecycle/settle.ts';
import { createDescribe } from '#core/proposals/operations/describe.ts';
import type { Operation, Operations } from '#core/proposals/operations/operation.ts';
import { createPauses } from '#core/proposals/delivery/approved-writes.ts';
import { createUpdateOperation, prepareUpdate } from '#core/proposals/operations/update.ts';
import type { StoredAgent } from '#core/store/app/index.ts';
import { everyRow, type Guardrails } from '#shared/app-api/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { callOf, campaignNow, createAgentWorld, type AgentWorld } from '../tool-call/agent-world.ts';
import { admittedAgent } from '#test/fixtures/agent.ts';
import { noPolicy } from '#test/servers/no-policy.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const { agent: caller } = callOf('', {});
const agent: StoredAgent = { ...admittedAgent, id: caller.id, profileId: caller.profileId };

/** The delivery of an agent's updates, with the real limits of agents. */
interface Scene {
  world: AgentWorld;
  cid: number;
  living: { agent: StoredAgent | null };
  set(guardrails: Partial<Guardrails>): void;
  elsewhere(fields: JsonObject): Promise<void>;
  /** An agent doubles the total budget of $50 and a person approves. Then `happens` runs, and then the change is delivered. */
  deliverAfter(happens: () => unknown): Promise<Delivered>;
  /** Runs as soon as the campaign was read again before the send. */
  onReread: () => unknown;
}

async function openScene(): Promise<Scene> {
  const world = await createAgentWorld();
  const { store, ledger, clock, connection } = world;
  const { member, profile } = connection;
  const freeze = { assertThawed() {} };
  const living: Scene['living'] = { agent };
  const agents = { living: () => living.agent };
  const limits: GuardrailSettings = createGuardrails({
    store,
    ledger,
    agents,
    freeze,
    policy: noPolicy,
    limitClock: limitClockOf(clock),
    onChange() {},
    formats: () => defaultFormats,
  });
  const original = createUpdateOperation(
    () => member,
    () => defaultFormats,
  );
  const update: Operation = {
    ...original,
    async reread(proposal) {
      const found = await original.reread(proposal);
      opened.onReread();
      return found;
    },
  };
  const operations: Operations = {
    'campaign.update': update,
    'campaign.status': update,
    'tool.call': update,
    'agent.admit': update,
    batch: update,
  };
  const describe = createDescribe({
    store,
    admissions: { allowed: () => [] },
    serviceTimeAt: (atMs) => atMs,
    formats: () => defaultFormats,
  });
  const limitClock = limitClockOf(clock);
  const shared = { store, clock, limitClock, logger: silentLogger, operations };
  const journal: Journal = createJournal({
    store,
    ledger,
    clock,
    limitClock,
    describe,
    ids: createIds(() => clock.nowMs()),
    waitingMs: () => 600_000,
    emit() {},
    formats: () => defaultFormats,
  });
  const { deliver } = createDelivery({
    ...shared,
    journal,
    expiry: { schedule() {} },
    settler: { watch() {} },
    unrecorded: createUnrecorded({ journal, logger: silentLogger }),
    inFlight: createInFlightWindow({ clock, requestTimeoutMs: 1_000 }),
    profiles: { get: () => profile },
    limits: createAgentLimits({ guard: limits.guard, store, describe, clock }),
    pauses: createPauses(clock),
    random: () => 0,
    isEnding: () => false,
  });
  const { data } = await member.list({ page: 1, perPage: 50, status: 1 });
  const cid = data[0]?.cid ?? 0;
  const elsewhere = async (fields: JsonObject): Promise<void> =>
    member.update(cid, canonicalJson({ ...(await campaignNow(world, cid)), ...fields }));
  await elsewhere({ enable_budget: 1, d_revenue: 500, t_revenue: 50 });

  const opened: Scene = {
    world,
    cid,
    living,
    onReread() {},
    set(guardrails) {
      const base = limits.get(profile.id);
      limits.set(profile.id, { base, guardrails: { ...base, ...guardrails } });
    },
    elsewhere,
    async deliverAfter(happens) {
      const draft = await prepareUpdate(
        member,
        {
          cid,
          changes: [{ field: 't_revenue', from: 50, to: 100 }],
        },
        defaultFormats,
      );
      const proposer = {
        profile: viewOf(profile),
        proposedBy: { kind: 'agent' as const, name: agent.name, sinceMs: 1, agentId: agent.id },
        quotation: null,
      };
      const shown = journal.move(journal.propose(draft, proposer), 'shown');
      const { id, fingerprint } = journal.move(shown, 'approved');
      await happens();
      return deliver({ id, fingerprint, approvedAtMs: 0 });
    },
  };
  return opened;
}

const moved = 'The campaign changed, and this was not proposed again.';

test('an agent’s outdated change is proposed again on the new state if it is within the agent’s limits', async () => {
  const scene = await openScene();
  scene.set({ maxRaisePerDayMicros: '50000000' });
  const { proposal, successor } = await scene.deliverAfter(() => scene.elsewhere({ name: 'Other' }));
  expect(proposal).toMatchObject({ state: 'stale', replacedBy: successor?.id });
  expect(successor).toMatchObject({ state: 'proposed', proposedBy: { agentId: agent.id } });
});

test('a successor replaces its predecessor in the pace limits, so the change is counted once', async () => {
  const scene = await openScene();
  scene.set({ pace: { changes: 1, minutes: 60 }, spendPace: { micros: '60000000', hours: 24 } });
  const { successor } = await scene.deliverAfter(() => scene.elsewhere({ name: 'Other' }));
  expect(successor?.state).toBe('proposed');
});

test('a raise that exceeds the agent’s limit on the new state is not proposed again, and the ledger gives the reason', async () => {
  const scene = await openScene();
  await scene.elsewhere({ d_revenue: 40 });
  scene.set({ maxRaisePerDayMicros: '20000000' });
  const { proposal, successor } = await scene.deliverAfter(() => scene.elsewhere({ d_revenue: 500 }));
  expect(successor).toBeNull();
  expect(proposal).toMatchObject({ state: 'stale', replacedBy: null, outcome: { code: 'guardrail' } });
  expect(proposal.outcome?.message).toBe(
    `${moved} One change may raise the money at risk per day by $20.00 at most. This one raises it by $50.00.`,
  );
  const filter = { ...everyRow, proposalId: proposal.id };
  const [row] = scene.world.ledger.list({ beforeSeq: null, limit: 1, filter }).items;
  expect(row).toMatchObject({ kind: 'proposal.stale' });
  expect(row?.body).toContain('One change may raise the money at risk per day by $20.00');
  expect(scene.world.store.proposals.undecided()).toEqual([]);
});

test.each<[string, (scene: Scene) => void, string]>([
  ['quiet hours begin', ({ set }) => set({ quietHours: { fromHour: 0, untilHour: 0 } }), 'guardrail'],
  ['its agent is revoked', ({ living }) => void (living.agent = null), 'agent_unknown'],
])(
  'an outdated change is not proposed again if %s while its campaign is read',
  async (_title, happens, code) => {
    const scene = await openScene();
    scene.onReread = () => happens(scene);
    const { proposal, successor } = await scene.deliverAfter(() => scene.elsewhere({ name: 'Other' }));
    expect(successor).toBeNull();
    expect(proposal).toMatchObject({ state: 'stale', outcome: { code } });
    expect(proposal.outcome?.message).toContain(moved);
  },
);
