import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { AppEvent, AppInput, AppOutput, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';
import { createUndo, undoViewOf } from './net-effect/undo.ts';
import { createAnnouncing } from './confirmation/announcing.ts';
import { createPendingAdmissions } from './operations/admission/pending-admissions.ts';
import type { Admission, Admissions } from './operations/admission/prepare.ts';
import type { AgentGate } from './agent-calls/agent-gate.ts';
import type { AgentGuard } from './proposing/agent-guard.ts';
import { createScheduleCommits, type ScheduleCommits } from './proposing/schedule-commits.ts';
import { createBatchDelivery } from './batch/delivery.ts';
import { createBatchMembers, createEmptiedBatches } from './batch/members.ts';
import { createAgentCalls, recoverAgentCalls } from './agent-calls/agent-calls.ts';
import { createConfirmation, type Confirmation } from './confirmation/confirmation.ts';
import { createDelivery, type Deliver } from './delivery/delivery.ts';
import { createExpiry } from './lifecycle/expiry.ts';
import { createDescribe, describeStored } from './operations/describe.ts';
import { createOperations } from './operations/operations.ts';
import { createJournal } from './lifecycle/journal.ts';
import { createInFlightWindow, createSettler } from './lifecycle/settler.ts';
import { createUnrecorded, recover } from './lifecycle/recovery.ts';
import { createPauses, createWriteQueues } from './delivery/write-queues.ts';
import { createPreparingAgain } from './proposing/prepare-again.ts';
import { createProposing } from './proposing/proposing.ts';
import type { PrepareAtService } from './operations/tool-call/prepare-again.ts';
import { createWaitingTime, type WaitingTime } from './lifecycle/waiting-time.ts';
import { creativePicturesOf } from './confirmation/creative-pictures.ts';
import { createSettledWaiter } from './lifecycle/settled-waiter.ts';
import { createReviewSessions } from './confirmation/review-sessions.ts';
import { createShowings } from './confirmation/showings.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { createUnfinishedWork } from './lifecycle/unfinished-work.ts';
import { lastChangeFact } from './confirmation/last-change.ts';
import { listProposals } from './listing.ts';
import { proposalView, queueOf } from './confirmation/proposal-view.ts';
import { createUserChanges, type UserChanges, type UndoRequest } from './proposing/user-changes.ts';
import { loadProposal } from './lifecycle/lookup.ts';

/** The one gate of every write (docs/write-path.md). */
export interface Gate
  extends Omit<UserChanges, 'proposeTogether' | 'proposeUndo'>, ScheduleCommits, AsyncDisposable {
  /** As {@link UserChanges.proposeTogether}; those whose approval by the service has ended are prepared again first. */
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  /** As {@link UserChanges.proposeUndo}. */
  proposeUndo(request: UndoRequest): Promise<ProposalView>;
  /** Asks a person to let an agent in; `profileId` is the profile that its calls would go to. */
  proposeAdmission(admission: Admission, to: { profileId: string; endsAtMs: number }): ProposalView;
  /** Withdraws an admission whose answer no call waits for any more. Does nothing if it was decided. */
  takeBackAdmission(id: string): void;
  agents: AgentGate;
  list(input: AppInput<'proposals.list'>): AppOutput<'proposals.list'>;
  get(id: string): ProposalView;
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
  /** The time of the service when this computer's clock showed `atMs`: that of the clock, but in training. */
  serviceTimeAt(atMs: number): number;
  ids: Ids;
  logger: Logger;
  /** The client's own timeout. */
  requestTimeoutMs: number;
  emit(event: AppEvent): void;
}

/**
 * Opens the gate: recovers what a crash left, and settles what is unknown. Dispose takes
 * nothing new, stops what was approved and not yet begun, and waits for what is under way.
 */
export function createGate(options: GateOptions): Gate {
  const { store, confirmer, clock, logger } = options;
  const describe = createDescribe(options);
  const view = (proposal: StoredProposal): ProposalView => {
    const words = describeStored(describe, proposal);
    const pictures = creativePicturesOf(proposal, options.profiles.originsOf(proposal.profile.id));
    const shown = proposalView(proposal, words, queueOf(store, proposal, words));
    const undo = undoViewOf(store, proposal);
    const last = shown.facts.length === 0 ? null : lastChangeFact(proposal, { store, nowMs: clock.nowMs });
    return {
      ...shown,
      ...(last !== null && { facts: [...shown.facts, last] }),
      ...(pictures.length > 0 && { pictures }),
      ...(undo !== null && { undo }),
    };
  };

  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  subscribe(options.emit);
  const onProposalChanged = (listener: (id: string) => void): void =>
    void subscribe((event) => {
      if (event.kind === 'proposals.changed') listener(event.id);
    });
  const settled = createSettledWaiter((id) => loadProposal(store, id));
  onProposalChanged(settled.changed);
  const waitingTime = createWaitingTime({ ...options, onChange: () => emit({ kind: 'status.changed' }) });
  const waitingMs = (): number => waitingTime.minutes() * 60_000;
  const journal = createJournal({ ...options, emit, describe, waitingMs });
  const operations = createOperations({ ...options, journal });
  const showings = createShowings({ ...options, hide: (showingId) => confirmer.hide(showingId) });
  const expiry = createExpiry({ ...options, journal, showings });
  const unrecorded = createUnrecorded({ journal, logger });
  const inFlight = createInFlightWindow(options);
  const settler = createSettler({ ...options, journal, unrecorded, inFlight, operations });
  const { run, assertTaking, isEnding, end } = createUnfinishedWork();
  const pauses = createPauses(clock);
  const endAll = (): Promise<void> => {
    const ended = end();
    pauses.look();
    return ended;
  };
  const queues = { inTurn: createWriteQueues(store), pauses, isEnding, random: Math.random };
  const send = createDelivery({
    ...options,
    ...queues,
    journal,
    unrecorded,
    inFlight,
    operations,
    describe,
  });

  const deliver: Deliver = async (approved) => {
    try {
      const delivered = await send(approved);
      if (delivered.successor !== null) expiry.schedule();
      return delivered;
    } finally {
      settler.watch(approved.id);
    }
  };

  const members = createBatchMembers({ store, journal });
  const emptied = createEmptiedBatches({ store, journal, showings, members, logger });
  onProposalChanged(emptied.look);
  const proposing = createProposing({ ...options, journal, expiry, describe });
  const { propose, add } = proposing;
  const agentCalls = createAgentCalls({ ...options, journal, showings, propose, settled, view });
  const preparing = createPreparingAgain({
    ...options,
    journal,
    expiry,
    showings,
    describe,
    calls: agentCalls,
  });
  const { proposeUndo, ...ownChanges } = createUserChanges({
    ...options,
    ...proposing,
    view,
    run,
    assertTaking,
  });
  const undo = createUndo({ ...options, proposeUndo });
  /** One after the other: each of them is asked of the same service. */
  async function proposeTogether(ids: readonly string[]): Promise<ProposalView> {
    const ready: string[] = [];
    for (const id of ids) ready.push((await preparing.ready(id)).id);
    return ownChanges.proposeTogether(ready);
  }

  const reviews = createReviewSessions({ ...options, showings, proposeTogether });
  const sendBatch = createBatchDelivery({ ...options, journal, unrecorded, deliver });
  const confirmation = createConfirmation({
    ...options,
    journal,
    showings,
    expiry,
    view,
    deliver,
    members,
    preparing,
    undo,
    reviews,
    assertAsks: emptied.assertAsks,
    deliverBatch: (id, approved) =>
      sendBatch(id, approved).finally(() => {
        for (const left of [...approved, { id }]) settler.watch(left.id);
      }),
  });
  const announcing = createAnnouncing({
    proposals: store.proposals,
    isShown: showings.has,
    announce: (id) => announceAt(confirmation, id, logger),
  });
  if (confirmer.announce !== undefined) onProposalChanged(announcing.look);

  const scheduleCommits = createScheduleCommits({ ...options, journal, showings, propose, view, run });
  const pendingAdmissions = createPendingAdmissions({ ...options, journal, showings, add });

  for (const id of recover({ store, unrecorded, logger })) settler.watch(id);
  recoverAgentCalls({ store, journal, logger });
  pendingAdmissions.takeBackAll();
  expiry.schedule();

  return {
    ...ownChanges,
    ...scheduleCommits,
    proposeAdmission(admission, to) {
      assertTaking();
      return view(pendingAdmissions.propose(admission, to));
    },
    takeBackAdmission: pendingAdmissions.takeBack,
    proposeTogether: (ids) => run(() => proposeTogether(ids)),
    agents: {
      ...agentCalls,
      propose: (request) => run(() => agentCalls.propose(request)),
      withdrawAll(agentId, because) {
        try {
          agentCalls.withdrawAll(agentId, because);
        } finally {
          pauses.look();
        }
      },
    },
    list: (input) => listProposals(store.proposals, input),
    get: (id) => view(loadProposal(store, id)),
    async review(id) {
      // The host is not waited for: it may show for as long as a person looks.
      assertTaking();
      return confirmation.review(id);
    },
    prepareAgain: (id) => run(async () => view(await preparing.again(id))),
    undo: (id) => run(async () => view(await undo(id))),
    proposeUndo: (request) => run(async () => view(await proposeUndo(request))),
    waitingTime,
    withdraw(id) {
      const proposal = loadProposal(store, id);
      if (!isUndecided(proposal.state)) throw new AppError('proposal_not_waiting');
      const withdrawn = journal.move(proposal, 'withdrawn', { by: { actor: 'You' } });
      showings.hide(id);
      return view(withdrawn);
    },
    settle: (id) => run(async () => view(await settler.settle(id))),
    confirmation: {
      ...confirmation.port,
      prepareAgain: (seen) => run(() => confirmation.port.prepareAgain(seen)),
      undo: (seen) => run(() => confirmation.port.undo(seen)),
      decide: (decision) =>
        run(() => {
          agentCalls.settleAbandoned();
          return confirmation.port.decide(decision);
        }),
      turn: (turn) =>
        run(async () => {
          const turned = await confirmation.port.turn(turn);
          // A person who goes through all that waits is not interrupted by any of it.
          announcing.putAway();
          return turned;
        }),
      putAway(seen) {
        showings.drop(showings.require(seen));
        announcing.putAway();
      },
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
      announcing.dispose();
      emptied.dispose();
      await endAll();
      agentCalls.settleAbandoned();
      await settler.dispose();
    },
  };
}

/** Leaves a proposal that cannot be announced in the list. */
function announceAt(confirmation: Confirmation, id: string, logger: Logger): boolean {
  try {
    confirmation.announce(id);
    return true;
  } catch (failure) {
    logger.warn({ failure, proposal: id }, 'A proposal could not be brought forward');
    return false;
  }
}
