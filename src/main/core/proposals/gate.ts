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
import type { Formats } from '#shared/lib/formats.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Admission, Admissions } from './operations/agent-admission.ts';
import { createDescribe, describeStored } from './operations/describe.ts';
import { loadProposal } from './operations/load-proposal.ts';
import type { Describe } from './operations/operation.ts';
import type { PrepareAtService } from './operations/tool-call/prepare/prepare-again.ts';
import { admissionBudget, changeBudget, createAttemptBudget } from './lifecycle/attempt-budget.ts';
import { createLifecycle } from './lifecycle/lifecycle.ts';
import type { WaitingTime } from './lifecycle/waiting-time.ts';
import type { AgentGuard } from './proposing/agent-limits.ts';
import { createScheduleCommits, type ScheduleCommits } from './proposing/app-commits.ts';
import { createPendingAdmissions } from './proposing/pending-admissions.ts';
import { createPreparingAgain } from './proposing/propose-again.ts';
import { createProposing } from './proposing/proposing.ts';
import { createUserChanges, type UndoRequest, type UserChanges } from './proposing/user-changes.ts';
import { type AgentGate, createAgentCalls } from './agent-calls/agent-calls.ts';
import { createBatchDelivery } from './delivery/batch-delivery.ts';
import { createDelivery } from './delivery/deliver-one.ts';
import { createPauses, createWriteQueues } from './delivery/write-queues.ts';
import { creativePicturesOf } from './confirmation/creative-pictures.ts';
import {
  lastChangeFact,
  listedTargets,
  proposalView,
  queueOf,
  withoutLongLists,
} from './confirmation/proposal-view.ts';
import { listProposals, waitingByRisk } from './confirmation/list-proposals.ts';
import { createConfirmations } from './confirmation/show-and-decide.ts';
import { createShowings } from './confirmation/showings.ts';
import { createUndo, undoViewOf } from './undo/undo.ts';

/** The one gate of every write (docs/write-path.md). */
export interface Gate extends UserChanges, ScheduleCommits, AsyncDisposable {
  agents: AgentGate;
  /** As {@link UndoChanges.proposeUndo}. */
  proposeUndo(request: UndoRequest): Promise<ProposalView>;
  /** Asks a person to let an agent in; `profileId` is the profile that its calls would go to. Fails as the proposal does. */
  proposeAdmission(admission: Admission, to: { profileId: string; endsAtMs: number }): ProposalView;
  /** Withdraws an admission whose answer no call waits for any more. Does nothing if it was decided. */
  takeBackAdmission(id: string): void;
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

/**
 * Opens the gate: makes the stages of a write, each of those before it, recovers what a crash left, and settles what is unknown. Dispose
 * takes nothing new, stops what was approved and not yet begun, and waits for what is under way.
 */
export function createGate(options: GateOptions): Gate {
  const { store, ledger, connections, profiles, guard, admissions, isOfferedAsPinned } = options;
  const { prepareAtService, serviceTimeAt, confirmer, clock, limitClock, ids, logger } = options;
  const { requestTimeoutMs, formats, shownFormats } = options;
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  subscribe(options.emit);
  const onProposalChanged = (listener: (id: string) => void): void => {
    subscribe((event) => {
      if (event.kind === 'proposals.changed') listener(event.id);
    });
  };
  const describe = createDescribe({ store, admissions, serviceTimeAt, formats });
  const targets: Gate['targets'] = ({ id, from }) => ({
    targets: listedTargets(describeStored(describe, loadProposal(store, id)), from),
  });
  const view = createView({ store, profiles, clock, formats, describe });
  const showings = createShowings({ clock, ids, logger, hide: (showingId) => confirmer.hide(showingId) });
  const { hide } = showings;
  const lifecycle = createLifecycle({
    store,
    ledger,
    connections,
    admissions,
    isOfferedAsPinned,
    clock,
    limitClock,
    ids,
    logger,
    requestTimeoutMs,
    describe,
    hide,
    emit,
    onProposalChanged,
    formats,
  });
  const { journal, expiry, settler, settled, operations, unrecorded, inFlight, waitingTime } = lifecycle;
  const { run, assertTaking, isEnding } = lifecycle;

  const pauses = createPauses(clock);
  const endUnwantedPauses = pauses.look;
  const deliver = createDelivery({
    store,
    profiles,
    guard,
    operations,
    describe,
    journal,
    expiry,
    unrecorded,
    inFlight,
    settler,
    clock,
    limitClock,
    logger,
    isEnding,
    inTurn: createWriteQueues(store),
    pauses,
    random: Math.random,
  });
  const deliverBatch = createBatchDelivery({ store, journal, unrecorded, clock, logger, settler, deliver });

  const budgetOf = { store, ledger, clock, limitClock, logger, formats };
  const proposing = createProposing({
    store,
    journal,
    expiry,
    connections,
    profiles,
    guard,
    budget: createAttemptBudget(budgetOf, changeBudget),
    describe,
    emit,
  });
  const { propose } = proposing;
  const agentCalls = createAgentCalls({
    store,
    connections,
    propose,
    run,
    journal,
    hide,
    settled,
    profiles,
    clock,
    logger,
    view,
    endUnwantedPauses,
    formats,
  });
  const preparing = createPreparingAgain({
    store,
    journal,
    expiry,
    hide,
    connections,
    profiles,
    guard,
    describe,
    prepareAtService,
    calls: agentCalls,
    clock,
    formats,
  });
  const userChanges = createUserChanges({
    store,
    connections,
    proposing,
    ready: preparing.ready,
    waitingByRisk: () => waitingByRisk(store.proposals),
    run,
    assertTaking,
    view,
    formats,
  });
  const commits = createScheduleCommits({
    store,
    connections,
    propose,
    run,
    journal,
    hide,
    clock,
    view,
    formats,
  });
  const pendingAdmissions = createPendingAdmissions({
    store,
    journal,
    hide,
    profiles,
    add: proposing.add,
    budget: createAttemptBudget(budgetOf, admissionBudget),
    logger,
  });
  const undo = createUndo({ store, connections, proposeUndo: userChanges.proposeUndo, formats });
  const confirmations = createConfirmations({
    store,
    journal,
    showings,
    expiry,
    clock,
    logger,
    confirmer,
    run,
    onProposalChanged,
    view,
    targets,
    deliver,
    deliverBatch,
    preparing,
    proposeTogether: userChanges.proposeTogether,
    undo,
    settleAbandoned: agentCalls.settleAbandoned,
    formats,
    shownFormats,
  });

  function endAll(): Promise<void> {
    const ended = lifecycle.end();
    endUnwantedPauses();
    return ended;
  }

  lifecycle.recover();
  agentCalls.recover();
  pendingAdmissions.takeBackAll();
  expiry.schedule();
  return {
    ...userChanges,
    ...commits,
    agents: agentCalls,
    confirmation: confirmations.port,
    waitingTime,
    targets,
    proposeAdmission(admission, to) {
      assertTaking();
      return view(pendingAdmissions.propose(admission, to));
    },
    takeBackAdmission: pendingAdmissions.takeBack,
    proposeUndo: (request) => run(async () => view(await userChanges.proposeUndo(request))),
    undo: (id) => run(async () => view(await undo(id))),
    prepareAgain: (id) => run(async () => view(await preparing.again(id))),
    settle: (id) => run(async () => view(await settler.settle(id))),
    list: (input) => listProposals(store.proposals, input, formats()),
    get: (id) => view(loadProposal(store, id)),
    async review(id) {
      // The host is not waited for: it may show for as long as a person looks.
      assertTaking();
      return confirmations.review(id);
    },
    withdraw(id) {
      const proposal = loadProposal(store, id);
      if (!isUndecided(proposal.state)) throw new AppError('proposal_not_waiting');
      const withdrawn = journal.move(proposal, 'withdrawn', { by: { actor: 'You' } });
      hide(id);
      return view(withdrawn);
    },
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

interface ViewOptions {
  store: AppStore;
  profiles: Pick<Profiles, 'originsOf'>;
  clock: Clock;
  formats(): Formats;
  describe: Describe;
}

/** Makes the view of a proposal, with its queue, its pictures, its undo and the last change to its campaign. */
function createView({ store, profiles, clock, formats, describe }: ViewOptions) {
  return (proposal: StoredProposal): ProposalView => {
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
