import type { Connections } from '#core/connections/index.ts';
import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { AppEvent, AppInput, AppOutput, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Admissions } from './operations/agent-admission/prepare.ts';
import { createDescribe, describeStored } from './operations/describe.ts';
import type { Describe } from './operations/operation.ts';
import { loadProposal } from './operations/load-proposal.ts';
import type { PrepareAtService } from './operations/tool-call/prepare/prepare-again.ts';
import { createLifecycle, type Lifecycle } from './lifecycle/lifecycle.ts';
import type { WaitingTime } from './lifecycle/waiting-time.ts';
import type { AgentGuard } from './proposing/agent-limits.ts';
import { type Changes, createChanges } from './proposing/changes.ts';
import { createProposing } from './proposing/proposing.ts';
import type { UndoRequest } from './proposing/user-changes.ts';
import { createConfirmations, type Confirmations } from './confirmation/confirmations.ts';
import { creativePicturesOf } from './confirmation/creative-pictures.ts';
import { lastChangeFact } from './confirmation/last-change-fact.ts';
import { listProposals } from './confirmation/list-proposals.ts';
import { waitingByRisk } from './confirmation/waiting-order.ts';
import { listedTargets, proposalView, queueOf, withoutLongLists } from './confirmation/proposal-view.ts';
import { createShowings, type Showings } from './confirmation/showings.ts';
import { createDeliveries, type Deliveries } from './delivery/deliveries.ts';
import { createUndo, type Undo, undoViewOf } from './undo/undo.ts';
import { createAgentCalls, recoverAgentCalls } from './agent-calls/agent-calls.ts';
import type { AgentGate } from './agent-calls/gate-for-agents.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';

/** The one gate of every write (docs/write-path.md). */
export interface Gate extends Omit<Changes, 'proposeUndo' | 'preparing' | 'takeBackAll'>, AsyncDisposable {
  /** As {@link UserChanges.proposeUndo}. */
  proposeUndo(request: UndoRequest): Promise<ProposalView>;
  agents: AgentGate;
  list(input: AppInput<'proposals.list'>): AppOutput<'proposals.list'>;
  get(id: string): ProposalView;
  /** A page of the campaigns that a proposal lists, where its view does not have them. */
  targets(input: AppInput<'proposals.targets'>): AppOutput<'proposals.targets'>;
  /** Shows it; one whose approval by the service has ended is prepared again first, and `id` is then that of its successor. */
  review(id: string): Promise<{ id?: string; address: string | null }>;
  /** Prepares a change again whose time, or whose approval by the service, has ended. Resolves with what can be decided now. */
  prepareAgain(id: string): Promise<ProposalView>;
  /** Proposes to take the effect of this verified change back; joins what waits for that already. Asked for by a person alone. */
  undo(id: string): Promise<ProposalView>;
  waitingTime: WaitingTime;
  withdraw(id: string): ProposalView;
  settle(id: string): Promise<ProposalView>;
  /** Without its pictures, which the gate does not load. */
  confirmation: Omit<ConfirmationPort, 'picture'>;
  /** Handles the sleep of the machine: a change must be shown again before it can be approved. */
  suspend(): void;
  /** The machine woke up, and no timer counted its sleep: what is past its time ends, and what is unknown is read, now. */
  resume(): void;
  /** Refuses new work, since the program ends. Dispose waits for work in progress. */
  close(): void;
}

export interface GateOptions {
  store: AppStore;
  ledger: Ledger;
  /** The member client of a proposal's own profile, even if another profile is active. */
  connections: Pick<Connections, 'of' | 'current'>;
  profiles: Pick<Profiles, 'get' | 'originsOf' | 'setAccount'>;
  guard: AgentGuard;
  /**
   * Reads now if the service offers a tool with the definition that was pinned and reviewed. Fails as the read does.
   */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
  prepareAtService: PrepareAtService;
  admissions: Admissions;
  /** The only way to a person's decision. */
  confirmer: Confirmer;
  clock: Clock;
  /** For everything that limits what may be sent, and for how long. */
  limitClock: LimitClock;
  /** The time of the service when this computer's clock showed `atMs`: that of the clock, but in training. */
  serviceTimeAt(atMs: number): number;
  ids: Ids;
  logger: Logger;
  /** The client's own timeout. */
  requestTimeoutMs: number;
  emit(event: AppEvent): void;
  /** How numbers and moments are written at this time, and the setting of it. */
  formats(): Formats;
  shownFormats(): ShownFormats;
}

/** The stages of a write, each made of those before it. */
interface Stages {
  view: View;
  targets: Targets;
  showings: Showings;
  lifecycle: Lifecycle;
  deliveries: Deliveries;
  agentCalls: ReturnType<typeof createAgentCalls>;
  changes: Changes;
  undo: Undo;
  confirmations: Confirmations;
}

/**
 * Opens the gate: recovers what a crash left, and settles what is unknown. Dispose takes
 * nothing new, stops what was approved and not yet begun, and waits for what is under way.
 */
export function createGate(options: GateOptions): Gate {
  const { store, logger, formats } = options;
  const stages = createStages(options);
  const { lifecycle, changes } = stages;
  lifecycle.recover();
  recoverAgentCalls({ store, journal: lifecycle.journal, logger });
  changes.takeBackAll();
  lifecycle.expiry.schedule();
  return {
    ...proposalsOf(store, stages, formats),
    ...hostEventsOf(stages),
    agents: agentGateOf(stages),
    confirmation: stages.confirmations.port,
  };
}

function createStages(options: GateOptions): Stages {
  const { store, confirmer } = options;
  const describe = createDescribe(options);
  const targets: Targets = ({ id, from }) => ({
    targets: listedTargets(describeStored(describe, loadProposal(store, id)), from),
  });
  const view = createView(options, describe);
  const showings = createShowings({ ...options, hide: (showingId) => confirmer.hide(showingId) });
  const base = { ...options, ...createEvents(options), describe, view, hide: showings.hide };
  const lifecycle = createLifecycle(base);
  const recording = { ...base, ...lifecycle };
  const deliveries = createDeliveries(recording);
  const proposing = createProposing(recording);
  const agentCalls = createAgentCalls({ ...recording, propose: proposing.propose });
  const changes = createChanges({
    ...recording,
    ...proposing,
    calls: agentCalls,
    waitingByRisk: () => waitingByRisk(store.proposals),
  });
  const undo = createUndo({ ...options, proposeUndo: changes.proposeUndo });
  const confirmations = createConfirmations({
    ...recording,
    ...deliveries,
    ...changes,
    targets,
    showings,
    undo,
    settleAbandoned: agentCalls.settleAbandoned,
  });
  return { view, targets, showings, lifecycle, deliveries, agentCalls, changes, undo, confirmations };
}

type Targets = (input: AppInput<'proposals.targets'>) => AppOutput<'proposals.targets'>;

type View = (proposal: StoredProposal) => ProposalView;

/** Makes the view of a proposal, with its queue, its pictures, its undo and the last change to its campaign. */
function createView({ store, profiles, clock, formats }: GateOptions, describe: Describe): View {
  return (proposal) => {
    const words = describeStored(describe, proposal);
    const pictures = creativePicturesOf(proposal, profiles.originsOf(proposal.profile.id));
    const queue = queueOf(store, proposal, words, formats());
    const shown = withoutLongLists(proposalView(proposal, words, queue, formats()));
    const undo = undoViewOf(store, proposal);
    const last = shown.facts.length === 0 ? null : lastChangeFact(proposal, { store, nowMs: clock.nowMs });
    return {
      ...shown,
      ...(last !== null && { facts: [...shown.facts, last] }),
      ...(pictures.length > 0 && { pictures }),
      ...(undo !== null && { undo }),
    };
  };
}

/** The events of the gate, which go to the app as well. */
function createEvents({ logger, emit: toApp }: GateOptions) {
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  subscribe(toApp);
  return {
    emit,
    onProposalChanged(listener: (id: string) => void): void {
      subscribe((event) => {
        if (event.kind === 'proposals.changed') listener(event.id);
      });
    },
  };
}

/** Proposing, and what becomes of one proposal. */
function proposalsOf(store: AppStore, stages: Stages, formats: () => Formats) {
  const { view, targets, showings, lifecycle, changes, undo, confirmations } = stages;
  const { journal, settler, waitingTime, run, assertTaking } = lifecycle;
  const { preparing, takeBackAll: _atTheStart, ...proposable } = changes;
  return {
    ...proposable,
    waitingTime,
    proposeTogether: (ids: readonly string[]) => run(() => changes.proposeTogether(ids)),
    proposeUndo: (request: UndoRequest) => run(async () => view(await changes.proposeUndo(request))),
    undo: (id: string) => run(async () => view(await undo(id))),
    prepareAgain: (id: string) => run(async () => view(await preparing.again(id))),
    settle: (id: string) => run(async () => view(await settler.settle(id))),
    list: (input: AppInput<'proposals.list'>) => listProposals(store.proposals, input, formats()),
    get: (id: string) => view(loadProposal(store, id)),
    targets,
    async review(id: string) {
      // The host is not waited for: it may show for as long as a person looks.
      assertTaking();
      return confirmations.review(id);
    },
    withdraw(id: string) {
      const proposal = loadProposal(store, id);
      if (!isUndecided(proposal.state)) throw new AppError('proposal_not_waiting');
      const withdrawn = journal.move(proposal, 'withdrawn', { by: { actor: 'You' } });
      showings.hide(id);
      return view(withdrawn);
    },
  };
}

function agentGateOf({ agentCalls, deliveries, lifecycle: { run } }: Stages): AgentGate {
  return {
    ...agentCalls,
    propose: (request) => run(() => agentCalls.propose(request)),
    withdrawAll(agentId, because) {
      try {
        agentCalls.withdrawAll(agentId, because);
      } finally {
        deliveries.endUnwantedPauses();
      }
    },
  };
}

/** Reactions to the host: the machine sleeps or wakes up, the program ends. */
function hostEventsOf({ showings, lifecycle, deliveries, agentCalls, confirmations }: Stages) {
  const { expiry, settler } = lifecycle;

  function endAll(): Promise<void> {
    const ended = lifecycle.end();
    deliveries.endUnwantedPauses();
    return ended;
  }

  return {
    suspend: showings.disarm,
    resume() {
      // Covers a sleep that was reported late or never.
      showings.disarm();
      expiry.lookNow();
      settler.hurry();
    },
    close: () => void endAll(),
    async dispose() {
      expiry.dispose();
      confirmations.dispose();
      await endAll();
      agentCalls.settleAbandoned();
      await settler.dispose();
    },
  };
}
