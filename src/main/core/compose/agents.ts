import type { AppEvent } from '#shared/app-api/index.ts';
import type { Confirmer } from '#shared/host-api/index.ts';
import {
  createAgents,
  createFreeze,
  createGuardrails,
  createRefusedAttempts,
  createEmergencyStop,
  createPinCheck,
  createToolPins,
  type ToolPinOptions,
} from '../agents/index.ts';
import type { Connections } from '../connections/index.ts';
import { createGateway, createPrepareAgain } from '../gateway/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import { concealIn, createTokenConcealer } from '../platform/credentials.ts';
import type { LimitClock } from '../platform/limit-clock.ts';
import type { DisposableStack } from '../platform/disposable.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { AdministratorPolicy } from '#system/policy/index.ts';
import { type Profiles, viewOf } from '../profiles/index.ts';
import {
  createDecisions,
  createGate,
  createNetEffect,
  createPruning,
  createReturns,
  type GateOptions,
} from '../proposals/index.ts';
import { createSampleAgent } from '../sample-agent/index.ts';
import type { AppStore } from '../store/app/index.ts';
import { storedPort } from '../platform/loopback/listener.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';

export interface AgentSideOptions extends Pick<GateOptions, 'serviceTimeAt'> {
  store: AppStore;
  secrets: ToolPinOptions['secrets'];
  ledger: Ledger;
  profiles: Profiles;
  policy: AdministratorPolicy;
  connections: Connections;
  confirmer: Confirmer;
  version: string;
  host: 'desktop' | 'browser' | 'terminal';
  clock: Clock;
  limitClock: LimitClock;
  ids: Ids;
  logger: Logger;
  requestTimeoutMs: number;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Disposes of everything that is made here, in reverse. */
  stack: DisposableStack;
  /** How numbers and moments are written at this time, and the setting of it. */
  formats(): Formats;
  shownFormats(): ShownFormats;
}

/** Makes the gate and the agents' side of it: agents, their limits, and the endpoint that they connect to. */
export function composeAgents(options: AgentSideOptions) {
  const {
    store,
    ledger,
    profiles,
    policy,
    connections,
    version,
    host,
    clock,
    ids,
    logger,
    emit,
    subscribe,
    stack,
    formats,
  } = options;

  const agentsChanged = (): void => {
    emit({ kind: 'agents.changed' });
    emit({ kind: 'status.changed' });
  };
  const conceal = createTokenConcealer(store.oauth, clock);
  const recording = { store, ledger, clock, formats };
  const agents = createAgents({ ...recording, profiles, logger, onChange: agentsChanged });
  const freeze = createFreeze({
    ...recording,
    policy,
    onChange: agentsChanged,
  });
  const guardrails = createGuardrails({
    ...recording,
    limitClock: options.limitClock,
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
  const pins = createToolPins({ ...recording, secrets: options.secrets });
  const isOfferedAsPinned = createPinCheck({ connections, pins });
  const gate = stack.use(
    createGate({
      ...options,
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
      port: portMemory(store),
      prepared: {
        // The commit of a change with a token in it is refused.
        keep: (change) => store.agentCalls.keepPrepared(concealIn(change, conceal), clock.nowMs()),
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
  // Apart from each other: a ledger that takes no rows must not keep a session open.
  stack.defer(agents.onEnded(({ id }) => gate.agents.withdrawAll(id, 'agent_ended')));
  stack.defer(agents.onEnded(gateway.endAgent));
  freeze.recover();
  const emergencyStop = stack.use(
    createEmergencyStop({
      ...recording,
      connections,
      gate,
      freeze,
      logger,
      othersWithAgents(profileId) {
        const others = store.agents.living().filter((agent) => agent.profileId !== profileId);
        return [...new Set(others.map((agent) => agent.profileId))].map((id) => profiles.get(id).name);
      },
      // A browser shows what it was asked to show; there it waits in the list.
      bringForward: async (id) => (host === 'browser' ? null : gate.review(id)),
      onChange: () => emit({ kind: 'status.changed' }),
    }),
  );
  stack.defer(
    subscribe(({ kind }) => {
      if (kind === 'proposals.changed' || kind === 'profiles.changed') emergencyStop.look();
    }),
  );
  const netEffect = createNetEffect({ ...recording, connections, gate });
  const countDecisions = createDecisions({ store, connections });
  const returns = createReturns({ store, connections, gate, neededOf: emergencyStop.neededOf, formats });
  const pruning = stack.use(
    createPruning({
      ...recording,
      neededOf: emergencyStop.neededOf,
      logger,
      onChange() {
        emit({ kind: 'ledger.changed' });
        emit({ kind: 'status.changed' });
      },
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
      // A prompt shows one change after the other.
      script: host === 'terminal' ? 'short' : 'whole',
      version,
      clock,
      logger,
      onChange: agentsChanged,
    }),
  );
  // The core does not wait: a question for the address before it is open gets that as its answer.
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

function portMemory({ settings }: AppStore) {
  return {
    read: (): number | null => storedPort(settings.get(gatewayPortSetting)),
    write: (port: number): void => settings.set(gatewayPortSetting, String(port)),
  };
}
