import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Approved, type Attempt, createWriteQueues, type Pauses } from './approved-writes.ts';
import { type AttemptEvent, type AttemptStep, nextStep } from './next-step.ts';
import type { AgentLimits } from '../proposing/agent-limits.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { AnsweredFailure, lifetimeOf, type Operations, type PreparedWrite } from '../operations/operation.ts';
import { membersOf, loadProposal, undoesOf } from '../operations/stored-proposals.ts';
import { outcomeWith, type Outcome, outcomeOf, asSettled, type WriteAnswer } from '../operations/outcome.ts';
import { type Clock, momentNow, passedSince } from '#core/platform/clock.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import { pauseBeforeWriteMs } from '#core/service-client/index.ts';
import type { Unrecorded } from '../lifecycle/settle.ts';
import { createComparison, createOverlaps, decisionValidMs } from './compare-before-sending.ts';
import { batchOutcome, isUnsettled } from '../operations/batch/prepare.ts';

export interface Delivered {
  proposal: StoredProposal;
  successor: StoredProposal | null;
}

interface DeliveryOptions {
  store: AppStore;
  profiles: Pick<Profiles, 'get'>;
  limits: AgentLimits;
  operations: Operations;
  journal: Journal;
  expiry: { schedule(): void };
  unrecorded: Unrecorded;
  inFlight: { sent(id: string): void };
  settler: { watch(id: string): void };
  clock: Clock;
  limitClock: LimitClock;
  logger: Logger;
  isEnding(): boolean;
  pauses: Pauses;
  random(): number;
}

interface Stop extends Attempt {
  successor: StoredProposal | null;
  pauseMs: number | null;
}

/** Executes approved writes. A reason not to send is recorded in the proposal, never thrown. */
export function createDelivery(options: DeliveryOptions) {
  const { store, profiles, limits, operations, journal, expiry, unrecorded, inFlight } = options;
  const { settler, clock, limitClock, logger, isEnding, pauses, random } = options;
  const inTurn = createWriteQueues(store);
  const overlaps = createOverlaps();
  const { compare, isWanted } = createComparison({
    store,
    profiles,
    limits,
    operations,
    overlaps,
    clock,
    limitClock,
    isEnding,
  });

  async function deliver(approved: Approved): Promise<Delivered> {
    try {
      const delivered = await attempt(approved);
      if (delivered.successor !== null) expiry.schedule();
      return delivered;
    } finally {
      settler.watch(approved.id);
    }
  }

  async function attempt(approved: Approved): Promise<Delivered> {
    let stop = await inTurn(approved.id, () =>
      execute({ proposal: load(approved), sent: 0, compared: null }, approved),
    );
    while (stop.pauseMs !== null) {
      const waiting = stop;
      const isStillWanted = (): boolean => isWanted(waiting.proposal, approved);
      // Sends other writes during the pause: an emergency pause must not wait behind a write that waits.
      await pauses.pass(stop.pauseMs, isStillWanted);
      const resume = (): Promise<Stop> => execute(waiting, approved);
      stop = isStillWanted() ? await inTurn(approved.id, resume) : await resume();
    }
    return stop;
  }

  function load({ id }: Approved): StoredProposal {
    try {
      return loadProposal(store, id);
    } catch (failure) {
      leaveUnrecorded(id, failure, { kind: 'none' });
      throw new AppError('stopped_before_sending', { cause: failure });
    }
  }

  async function execute(start: Attempt, approved: Approved): Promise<Stop> {
    let { attempt, event } = await comparison(start, approved);
    for (;;) {
      const step = nextStep(attempt, event);
      let recorded: Delivered;
      try {
        recorded = record(attempt.proposal, step);
      } catch (failure) {
        if (step.unrecorded !== null) return stopUnrecorded(attempt, failure, step.unrecorded);
        event = { kind: 'prevented', failure };
        continue;
      }
      attempt = { ...attempt, proposal: recorded.proposal };
      if (step.next === 'send') {
        attempt = { ...attempt, sent: attempt.sent + 1 };
        event = await send(attempt);
      } else if (step.next === 'read') {
        event = await read(attempt.proposal);
      } else {
        const pauseMs = step.next === 'end' ? null : step.next.pauseMs;
        return { ...attempt, successor: recorded.successor, pauseMs };
      }
    }
  }

  async function comparison(
    attempt: Attempt,
    approved: Approved,
  ): Promise<{ attempt: Attempt; event: AttemptEvent }> {
    try {
      const { reread, proposal } = await compare(attempt, approved);
      const compared = momentNow(clock);
      const event = { kind: 'compared' as const, reread, nowMs: compared.wallMs };
      return { attempt: { ...attempt, proposal, compared }, event };
    } catch (failure) {
      if (!(failure instanceof AppError)) {
        logger.error({ failure, proposal: approved.id }, 'A write was stopped');
      }
      return { attempt, event: { kind: 'prevented', failure } };
    }
  }

  function record(proposal: StoredProposal, step: AttemptStep): Delivered {
    const { to, set, answer = null, before = [], successor } = step;
    if (successor !== undefined) return succeed(proposal, successor, { to, set });
    return { proposal: journal.move(proposal, to, { set, answer, before }), successor: null };
  }

  /**
   * Ends the outdated proposal and proposes its successor in one transaction. An agent's change gets a successor only if the
   * agent's current limits allow it, because on the new state it may raise more money.
   */
  function succeed(
    proposal: StoredProposal,
    draft: PreparedWrite,
    { to, set }: Pick<AttemptStep, 'to' | 'set'>,
  ): Delivered {
    return store.transaction(() => {
      const refusal = refusalOf(proposal, draft);
      if (refusal !== null) {
        return { proposal: journal.move(proposal, to, { set: { outcome: refusal } }), successor: null };
      }
      const inherited = { ...lifetimeOf(proposal), undoes: undoesOf(store, proposal) };
      const successor = journal.propose({ ...draft, ...inherited }, proposal);
      const ended = journal.move(proposal, to, { set: { ...set, replacedBy: successor.id } });
      return { proposal: ended, successor };
    });
  }

  function refusalOf(proposal: StoredProposal, draft: PreparedWrite): Outcome | null {
    try {
      limits.assertMayPropose(draft, proposal);
      return null;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      const { code, message } = failure;
      return outcomeWith(
        code,
        sentence`The campaign changed, and this was not proposed again. ${ownWords(message)}`,
      );
    }
  }

  function stopUnrecorded({ proposal, ...attempt }: Attempt, failure: unknown, answer: WriteAnswer): Stop {
    leaveUnrecorded(proposal.id, failure, answer);
    return { ...attempt, proposal: asSettled(proposal, answer), successor: null, pauseMs: null };
  }

  function leaveUnrecorded(id: string, failure: unknown, answer: WriteAnswer): void {
    logger.error({ failure, proposal: id }, 'The next step of an approved write could not be recorded');
    unrecorded.remember(id, answer);
  }

  /**
   * A refusal by the service is certain. After any other failure the outcome is unknown, because the service may have stored
   * the write.
   */
  async function send({ proposal: intent, sent }: Attempt): Promise<AttemptEvent> {
    inFlight.sent(intent.id);
    overlaps.report(intent);
    try {
      const text = await operations[intent.operation].send(intent);
      return { kind: 'answered', answer: { kind: 'accepted', text }, pauseMs: null };
    } catch (failure) {
      const text = failure instanceof AnsweredFailure ? failure.answer : null;
      if (failure instanceof AppError && failure.code !== 'outcome_unknown') {
        const pauseMs = pauseBeforeWriteMs(failure, { tries: sent, random: random() });
        return { kind: 'answered', answer: { kind: 'refused', outcome: outcomeOf(failure), text }, pauseMs };
      }
      logger.warn({ failure, proposal: intent.id }, 'The outcome of a write is unknown');
      return { kind: 'answered', answer: { kind: 'none', text }, pauseMs: null };
    } finally {
      overlaps.report(intent);
    }
  }

  async function read(sent: StoredProposal): Promise<AttemptEvent> {
    try {
      return { kind: 'read', readBack: await operations[sent.operation].readBack(sent) };
    } catch (failure) {
      logger.warn({ failure, proposal: sent.id }, 'The write was accepted and could not be read back');
      return { kind: 'read', readBack: null };
    }
  }

  /** A member whose delivery fails stays unrecorded, and is settled once it can be read. */
  async function deliverMember(member: Approved): Promise<void> {
    try {
      await deliver(member);
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.error({ failure, proposal: member.id }, 'A member of a batch could not be executed');
    }
  }

  /** Sends no member unless the batch's intent is on the disk. */
  function beginBatch(id: string, members: readonly Approved[]): StoredProposal {
    try {
      return journal.move(loadProposal(store, id), 'intent', { set: { intentAtMs: clock.nowMs() } });
    } catch (failure) {
      logger.error({ failure, proposal: id }, 'An approved batch that was not begun could not be recorded');
      for (const left of [{ id }, ...members]) unrecorded.remember(left.id, { kind: 'none' });
      throw new AppError('stopped_before_sending', { cause: failure });
    }
  }

  function endBatch(intent: StoredProposal): StoredProposal {
    try {
      return store.transaction(() => {
        const members = membersOf(store, intent);
        const sent = journal.move(intent, 'sent');
        const to = members.some(isUnsettled) ? 'unknown' : 'done';
        return journal.move(sent, to, { set: { outcome: batchOutcome(members) } });
      });
    } catch (failure) {
      logger.error({ failure, proposal: intent.id }, 'What came of a batch could not be recorded');
      unrecorded.remember(intent.id, { kind: 'none' });
      return asSettled(intent, { kind: 'none' });
    }
  }

  async function executeBatch(id: string, members: readonly Approved[]): Promise<StoredProposal> {
    const intent = beginBatch(id, members);
    let turn = momentNow(clock);
    for (const member of members) {
      await deliverMember({ ...member, turn });
      // If a member took longer than a decision is valid, the machine slept, and the decision is too old for the rest.
      if (passedSince(turn, clock) < decisionValidMs) turn = momentNow(clock);
    }
    return endBatch(intent);
  }

  return {
    /**
     * Compares, records the intent, sends the shown bytes once and reads back. If a step
     * cannot be recorded, the proposal stays unrecorded and is returned as it will be
     * recorded. Fails only with `stopped_before_sending`, if the proposal cannot be read.
     */
    deliver,
    /**
     * Delivers the approved members of a batch in sequence, each independently. An outdated member is proposed again
     * alone. The batch settles after all members. Fails only with `stopped_before_sending`, if the batch cannot be read.
     */
    deliverBatch: (id: string, members: readonly Approved[]): Promise<StoredProposal> =>
      executeBatch(id, members).finally(() => {
        for (const left of [...members, { id }]) settler.watch(left.id);
      }),
  };
}
