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
import type { AppEvent, AppInput, AppOutput, ProposalView, UndoView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';
import type { Formats, ShownFormats } from '#shared/lib/formats.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { type Admission, type Admissions, createAdmitOperation } from './operations/agent-admission.ts';
import { createBatchOperation, type SeveralWrites, type UndoRequest } from './operations/batch/prepare.ts';
import { createReadsBefore } from './operations/campaigns-before.ts';
import { createDescribe } from './operations/describe.ts';
import { loadProposal } from './operations/stored-proposals.ts';
import type { ConnectionOf, Operations } from './operations/operation.ts';
import type { StatusRequest } from './operations/status-change/prepare.ts';
import { createStatusOperation } from './operations/status-change/send.ts';
import { createCallsAgain, type PrepareAtService } from './operations/tool-call/prepare-again.ts';
import { createToolCallOperation } from './operations/tool-call/send.ts';
import { createUpdateOperation } from './operations/update.ts';
import {
  admissionBudget,
  changeBudget,
  createAttemptBudget,
  type AgentGuard,
  createAgentLimits,
} from './proposing/agent-limits.ts';
import { createExpiry, createWaitingTime, type WaitingTime } from './lifecycle/expiry.ts';
import { createJournal } from './lifecycle/create-journal.ts';
import { createInFlightWindow, createSettler, createUnrecorded, recover } from './lifecycle/settle.ts';
import { createSettledWaiter, createUnfinishedWork } from './lifecycle/unfinished-work.ts';
import { createScheduleCommits, type ScheduleCommits } from './proposing/app-commits.ts';
import { type ProposedUpdates, type SeveralUpdates, createUserChanges } from './proposing/user-changes.ts';
import { createPendingAdmissions, createProposing } from './proposing/proposing.ts';
import { createPreparingAgain } from './proposing/propose-again.ts';
import { type AgentGate, createAgentCalls } from './agent-calls/agent-calls.ts';
import { createPauses } from './delivery/approved-writes.ts';
import { createDelivery } from './delivery/deliver.ts';
import { listProposals, waitingByRisk } from './confirmation/list-proposals.ts';
import { createView, listedTargets } from './confirmation/proposal-view.ts';
import { createConfirmations } from './confirmation/show-and-decide.ts';
import { createDisplays } from './confirmation/displays.ts';
import { createUndo, undoViewOf } from './undo/undo.ts';

/** The only path of a write to a service (docs/write-path.md). */
export interface Gate extends ScheduleCommits, AsyncDisposable {
  agents: AgentGate;
  proposeStatus(request: StatusRequest): Promise<ProposalView>;
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  proposeSeveral(request: SeveralWrites): Promise<ProposalView>;
  proposeUndo(request: UndoRequest): Promise<ProposalView>;
  proposeUpdates(request: SeveralUpdates): Promise<ProposedUpdates>;
  /** Asks a person to give an agent access to the profile `profileId`. */
  proposeAdmission(admission: Admission, to: { profileId: string; endsAtMs: number }): ProposalView;
  takeBackAdmission(id: string): void;
  list(input: AppInput<'proposals.list'>): AppOutput<'proposals.list'>;
  get(id: string): ProposalView;
  targets(input: AppInput<'proposals.targets'>): AppOutput<'proposals.targets'>;
  /** Shows the proposal. If the service's approval has ended, prepares it again first; `id` is then the id of the successor. */
  review(id: string): Promise<{ id?: string; address: string | null }>;
  /** Prepares a change again after its time, or its approval by the service, has ended. Resolves with the proposal to decide. */
  prepareAgain(id: string): Promise<ProposalView>;
  /** Proposes to undo a verified change, or returns the undo that already waits. Only for a person's request. */
  undo(id: string): Promise<ProposalView>;
  waitingTime: WaitingTime;
  withdraw(id: string): ProposalView;
  settle(id: string): Promise<ProposalView>;
  confirmation: Omit<ConfirmationPort, 'picture'>;
  /** Reports that the machine will sleep: every change must be shown again before it can be approved. */
  suspend(): void;
  /** Reports that the machine woke up. Timers do not count sleep, so this expires due proposals and reads unknown outcomes now. */
  resume(): void;
  close(): void;
}

export interface GateOptions {
  store: AppStore;
  ledger: Ledger;
  connections: Pick<Connections, 'of' | 'current'>;
  profiles: Pick<Profiles, 'get' | 'originsOf' | 'setAccount'>;
  guard: AgentGuard;
  /** True if the service still offers the tool with the pinned definition. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
  prepareAtService: PrepareAtService;
  admissions: Admissions;
  confirmer: Confirmer;
  clock: Clock;
  limitClock: LimitClock;
  /** The service's time when this computer's clock showed `atMs`. The two differ in training only. */
  serviceTimeAt(atMs: number): number;
  ids: Ids;
  logger: Logger;
  requestTimeoutMs: number;
  emit(event: AppEvent): void;
  formats(): Formats;
  shownFormats(): ShownFormats;
}

/** Opens the gate: creates its stages, recovers proposals after a crash, and settles unknown outcomes. */
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
  const { run, assertTaking, isEnding, end } = createUnfinishedWork();
  const settled = createSettledWaiter((id) => loadProposal(store, id));
  onProposalChanged(settled.changed);
  const displays = createDisplays({ clock, ids, logger, hide: (displayId) => confirmer.hide(displayId) });
  const { hide } = displays;

  const describe = createDescribe({ store, admissions, serviceTimeAt, formats });
  const waitingTime = createWaitingTime({
    store,
    ledger,
    onChange: () => emit({ kind: 'status.changed' }),
    formats,
  });
  const journal = createJournal({
    store,
    ledger,
    clock,
    limitClock,
    ids,
    describe,
    waitingMs: () => waitingTime.minutes() * 60_000,
    emit,
    formats,
  });
  const connectionOf: ConnectionOf = ({ profile }) => connections.of(profile.id);
  const serviceNowMs = (): number => serviceTimeAt(clock.nowMs());
  const readsBefore = createReadsBefore({ store, clock });
  const operations: Operations = {
    'campaign.update': createUpdateOperation((proposal) => connectionOf(proposal).member, formats),
    'campaign.status': createStatusOperation({
      store,
      connectionOf,
      readsBefore,
      serviceNowMs,
      formats,
    }),
    'tool.call': createToolCallOperation({
      connectionOf,
      readsBefore,
      answerOf: (id) => store.agentCalls.find(id)?.answer ?? null,
      isOfferedAsPinned,
      prepareAgain: createCallsAgain({ store, connectionOf, prepareAtService, clock, formats }),
      formats,
    }),
    'agent.admit': createAdmitOperation(admissions),
    batch: createBatchOperation({
      store,
      endBatch: (batch, outcome) => journal.move(batch, 'done', { set: { outcome } }),
    }),
  };
  const expiry = createExpiry({ store, journal, hide, clock, limitClock, logger });
  const unrecorded = createUnrecorded({ journal, logger });
  const inFlight = createInFlightWindow({ clock, requestTimeoutMs });
  const settler = createSettler({ store, journal, unrecorded, inFlight, clock, logger, operations });

  const limits = createAgentLimits({ guard, store, describe, clock });
  const budgetOf = { store, ledger, clock, limitClock, logger, formats };
  const undoOf = (proposal: StoredProposal): UndoView | null => undoViewOf(store, proposal);
  const view = createView({
    store,
    originsOf: (id) => profiles.originsOf(id),
    describe,
    undoOf,
    nowMs: () => clock.nowMs(),
    formats,
  });
  const queue = (): ReturnType<typeof waitingByRisk> => waitingByRisk(store.proposals);
  const proposing = createProposing({
    store,
    journal,
    expiry,
    connections,
    profiles,
    limits,
    assertAttemptLeft: createAttemptBudget(budgetOf, changeBudget),
    emit,
  });
  const { propose, add } = proposing;
  const pauses = createPauses(clock);
  const agentCalls = createAgentCalls({
    store,
    connections,
    propose,
    run,
    journal,
    hide,
    settled,
    originsOf: (id) => profiles.originsOf(id),
    clock,
    logger,
    view,
    endUnwantedPauses: pauses.look,
    formats,
  });
  const preparing = createPreparingAgain({
    store,
    journal,
    expiry,
    hide,
    connections,
    profiles,
    limits,
    operations,
    calls: agentCalls,
    clock,
  });
  const userChanges = createUserChanges({
    store,
    connections,
    proposing,
    ready: preparing.ready,
    waitingByRisk: queue,
    assertTaking,
    serviceNowMs,
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
    add,
    assertAttemptLeft: createAttemptBudget(budgetOf, admissionBudget),
    logger,
  });
  const undo = createUndo({ store, connections, proposeUndo: userChanges.proposeUndo, formats });

  const delivery = createDelivery({
    store,
    profiles,
    limits,
    operations,
    journal,
    expiry,
    unrecorded,
    inFlight,
    settler,
    clock,
    limitClock,
    logger,
    isEnding,
    pauses,
    random: Math.random,
  });
  const viewOf = (work: () => Promise<StoredProposal>): Promise<ProposalView> =>
    run(async () => view(await work()));
  const proposeTogether = (proposals: readonly string[]): Promise<ProposalView> =>
    viewOf(() => userChanges.proposeTogether(proposals));
  const targets: Gate['targets'] = ({ id, from }) => ({
    targets: listedTargets(describe(loadProposal(store, id)), from),
  });
  const confirmations = createConfirmations({
    store,
    journal,
    displays,
    endDue: expiry.endDue,
    clock,
    logger,
    confirmer,
    run,
    onProposalChanged,
    view,
    targets,
    delivery,
    preparing,
    proposeTogether,
    waitingByRisk: queue,
    undo,
    undoOf,
    settleAbandoned: agentCalls.settleAbandoned,
    formats,
    shownFormats,
  });

  function endAll(): Promise<void> {
    const ended = end();
    pauses.look();
    return ended;
  }

  for (const id of recover({ store, unrecorded, logger })) settler.watch(id);
  agentCalls.recover();
  pendingAdmissions.takeBackAll();
  expiry.schedule();
  return {
    ...commits,
    agents: agentCalls,
    confirmation: confirmations.port,
    waitingTime,
    targets,
    proposeStatus: (request) => viewOf(() => userChanges.proposeStatus(request)),
    proposeTogether,
    proposeSeveral: (request) => viewOf(() => userChanges.proposeSeveral(request)),
    proposeUndo: (request) => viewOf(() => userChanges.proposeUndo(request)),
    proposeUpdates: (request) => run(() => userChanges.proposeUpdates(request)),
    proposeAdmission(admission, to) {
      assertTaking();
      return view(pendingAdmissions.propose(admission, to));
    },
    takeBackAdmission: pendingAdmissions.takeBack,
    undo: (id) => viewOf(() => undo(id)),
    prepareAgain: (id) => viewOf(() => preparing.again(id)),
    settle: (id) => viewOf(() => settler.settle(id)),
    list: (input) => listProposals(store.proposals, input, formats()),
    get: (id) => view(loadProposal(store, id)),
    async review(id) {
      // Not counted as unfinished work: a host may show the window for as long as the person looks at it.
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
    suspend: displays.disarm,
    resume() {
      // The host may have reported the sleep late or never.
      displays.disarm();
      expiry.lookNow();
      settler.retryNow();
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
