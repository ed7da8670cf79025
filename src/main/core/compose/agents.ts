import {
  createAgents,
  createFreeze,
  createGuardrails,
  createRefusedAttempts,
  createEmergencyStop,
  createPinCheck,
  createToolPins,
} from '../agents/index.ts';
import { createGateway, createPrepareAgain } from '../gateway/index.ts';
import { concealIn, createTokenConcealer } from '../platform/credentials.ts';
import { storedPort } from '../platform/loopback/listener.ts';
import { viewOf } from '../profiles/index.ts';
import {
  createDecisions,
  createGate,
  createNetEffect,
  createPruning,
  createReturns,
} from '../proposals/index.ts';
import { createSampleAgent } from '../sample-agent/index.ts';
import type { AppStore } from '../store/app/index.ts';
import type { ConnectionSide } from './connections.ts';
import type { Foundation } from './foundation.ts';
import type { ComposeOptions } from './options.ts';

export type AgentSide = ReturnType<typeof composeAgents>;

export function composeAgents(
  options: ComposeOptions,
  foundation: Foundation,
  connectionSide: ConnectionSide,
) {
  const { confirmer, version, host } = options;
  const { store, secrets, ledger, policy, clock, limitClock, ids, logger, requestTimeoutMs } = foundation;
  const { emit, subscribe, ledgerChanged, stack } = foundation;
  const { connections, profiles, serviceTimeAt, formats, shownFormats } = connectionSide;

  const agentsChanged = (): void => {
    emit({ kind: 'agents.changed' });
    emit({ kind: 'status.changed' });
  };
  const conceal = createTokenConcealer(store.oauth, clock);
  const agents = createAgents({ store, ledger, profiles, clock, logger, onChange: agentsChanged });
  const freeze = createFreeze({ store, ledger, clock, policy, onChange: agentsChanged });
  const guardrails = createGuardrails({
    store,
    ledger,
    formats,
    limitClock,
    agents,
    freeze,
    policy,
    onChange: agentsChanged,
  });
  const refusedAttempts = createRefusedAttempts({
    store,
    profileOf: (id) =>
      profiles
        .list()
        .map(viewOf)
        .find((profile) => profile.id === id) ?? null,
    clock,
    logger,
    onChange: () => emit({ kind: 'agents.changed' }),
  });
  const pins = createToolPins({ store, secrets, ledger, clock, formats });
  const isOfferedAsPinned = createPinCheck({ connections, pins });
  const gate = stack.use(
    createGate({
      store,
      ledger,
      connections,
      profiles,
      confirmer,
      clock,
      limitClock,
      serviceTimeAt,
      ids,
      logger,
      requestTimeoutMs,
      emit,
      formats,
      shownFormats,
      guard: guardrails.guard,
      isOfferedAsPinned,
      prepareAtService: createPrepareAgain({ connections, pins, isOfferedAsPinned }),
      admissions: agents.admissions,
    }),
  );
  const gateway = stack.use(
    createGateway({
      connections,
      profiles,
      gate,
      agents,
      freeze,
      pins,
      refusedAttempts,
      rows: store.oauth,
      port: portStore(store),
      prepared: {
        // A commit of a change that contained a token is refused later, because the token is masked here.
        keep: (change) => store.agentCalls.savePrepared(concealIn(change, conceal), clock.nowMs()),
        find: (agentId, approvalId) => store.agentCalls.prepared(agentId, approvalId),
      },
      version,
      clock,
      ids,
      logger,
      onChange: agentsChanged,
      formats,
    }),
  );
  freeze.onFrozen(() => gate.agents.withdrawAll(null, 'agents_frozen'));
  pins.onChanged(gateway.toolsChanged);
  pins.onChanged(agentsChanged);
  // Separate listeners, so that a failing ledger does not keep a session open.
  stack.defer(agents.onEnded(({ id }) => gate.agents.withdrawAll(id, 'agent_ended')));
  stack.defer(agents.onEnded(gateway.endAgent));
  freeze.recover();
  const emergencyStop = stack.use(
    createEmergencyStop({
      store,
      ledger,
      clock,
      formats,
      connections,
      gate,
      freeze,
      logger,
      othersWithAgents(profileId) {
        const others = store.agents.living().filter((agent) => agent.profileId !== profileId);
        return [...new Set(others.map((agent) => agent.profileId))].map((id) => profiles.get(id).name);
      },
      // A browser page shows only requested proposals. There, the pause waits in the list.
      bringForward: async (id) => (host === 'browser' ? null : gate.review(id)),
      onChange: () => emit({ kind: 'status.changed' }),
    }),
  );
  stack.defer(
    subscribe(({ kind }) => {
      if (kind === 'proposals.changed' || kind === 'profiles.changed') emergencyStop.look();
    }),
  );
  const netEffect = createNetEffect({ store, ledger, connections, gate, formats });
  const countDecisions = createDecisions({ store, connections });
  const returns = createReturns({ store, connections, gate, neededOf: emergencyStop.neededOf, formats });
  const pruning = stack.use(
    createPruning({
      store,
      ledger,
      clock,
      logger,
      neededOf: emergencyStop.neededOf,
      onChange: ledgerChanged,
    }),
  );
  const sampleAgent = stack.use(
    createSampleAgent({
      url() {
        const { url, problem } = gateway.endpoint();
        return problem === null ? url : '';
      },
      isDemoActive: () => profiles.current().kind === 'demo',
      isAdmittedToDemo: (clientId) =>
        store.agents
          .living()
          .some((agent) => agent.clientId === clientId && profiles.get(agent.profileId).kind === 'demo'),
      script: host === 'terminal' ? 'short' : 'whole',
      version,
      clock,
      logger,
      onChange: agentsChanged,
    }),
  );
  // Not awaited: until the endpoint is open, `endpoint` reports that it is closed.
  void gateway.open();
  return {
    agents,
    freeze,
    guardrails,
    refusedAttempts,
    pins,
    gate,
    gateway,
    emergencyStop,
    netEffect,
    countDecisions,
    returns,
    pruning,
    sampleAgent,
  };
}

const gatewayPortSetting = 'gateway.port';

function portStore({ settings }: AppStore) {
  return {
    read: (): number | null => storedPort(settings.get(gatewayPortSetting)),
    write: (port: number): void => settings.set(gatewayPortSetting, String(port)),
  };
}
