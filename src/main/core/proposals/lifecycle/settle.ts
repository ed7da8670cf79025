import type { Clock } from '#core/platform/clock.ts';
import type { StoredProposal, AppStore } from '#core/store/app/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Operations, ReadBack } from '../operations/operation.ts';
import type { Journal } from './journal.ts';
import {
  endOf,
  isUnknowable,
  outcomeWith,
  settlementOf,
  wasAccepted,
  type WriteAnswer,
} from '../operations/outcome.ts';
import { AppError } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { loadProposal } from '../operations/stored-proposals.ts';

export type Unrecorded = ReturnType<typeof createUnrecorded>;

/** Approved proposals whose delivery ended unrecorded because of a crash or a failing disk. They are not delivered again. */
export function createUnrecorded({ journal, logger }: { journal: Journal; logger: Logger }) {
  const answers = new Map<string, WriteAnswer>();
  return {
    remember: (id: string, answer: WriteAnswer): void => void answers.set(id, answer),
    has: (id: string): boolean => answers.has(id),
    /**
     * Records the settled state of an unrecorded proposal, and returns
     * others unchanged. If the journal fails, it stays unrecorded.
     */
    recordOutcome(proposal: StoredProposal): StoredProposal {
      const answer = answers.get(proposal.id);
      if (answer === undefined) return proposal;
      const settlement = settlementOf(proposal, answer);
      const settled =
        settlement === null
          ? proposal
          : journal.move(proposal, settlement.to, {
              set: { outcome: settlement.outcome },
              answer: answer.text ?? null,
            });
      answers.delete(proposal.id);
      logger.info({ proposal: settled.id, state: settled.state }, 'A proposal left behind was put right');
      return settled;
    },
  };
}

/** `atMs` is monotonic, so that setting the system clock does not end the window. */
interface Sending {
  atMs: number;
  isFromThisProcess: boolean;
}

/** Tracks how long an unanswered write may still reach the service. */
export function createInFlightWindow(options: { clock: Clock; requestTimeoutMs: number }) {
  const { clock, requestTimeoutMs } = options;
  const sendings = new Map<string, Sending>();
  const windowMs = 2 * requestTimeoutMs;

  function note(id: string, isFromThisProcess: boolean): Sending {
    const sending = { atMs: clock.monotonicMs(), isFromThisProcess };
    sendings.set(id, sending);
    return sending;
  }

  return {
    sent: (id: string): void => void note(id, true),
    /** True if the write may still arrive after a read that begins now: until twice the request timeout after it was sent. */
    mayArriveAfterNow({ id, intentAtMs }: Pick<StoredProposal, 'id' | 'intentAtMs'>): boolean {
      const { atMs, isFromThisProcess } = sendings.get(id) ?? note(id, false);
      if (clock.monotonicMs() - atMs >= windowMs) return false;
      // A write of an earlier process is timed by the time of day. If that was set back, the check above ends the window.
      return isFromThisProcess || intentAtMs === null || clock.nowMs() - intentAtMs < windowMs;
    },
    forget: (id: string): void => void sendings.delete(id),
  };
}

const firstDelayMs = 500;
const maxDelayMs = 60_000;

interface SettlerOptions {
  store: AppStore;
  journal: Journal;
  unrecorded: Unrecorded;
  inFlight: ReturnType<typeof createInFlightWindow>;
  clock: Clock;
  logger: Logger;
  operations: Operations;
}

/** Settles unknown outcomes by reads alone, at growing intervals. Sends nothing again. */
export function createSettler(options: SettlerOptions) {
  const { store, journal, unrecorded, inFlight, clock, logger, operations } = options;
  const attempts = new Map<string, Promise<StoredProposal>>();
  const timers = new Map<string, () => void>();
  let disposed = false;
  let wakings = 0;

  /**
   * Records an unrecorded result, and reads an unknown outcome, without delay. Concurrent callers share one attempt. Resolves
   * with the proposal, which may still be unknown. Fails as the journal and the read do.
   */
  function settle(id: string): Promise<StoredProposal> {
    const running = attempts.get(id);
    if (running !== undefined) return running;
    const attempt = readOnce(id).finally(() => attempts.delete(id));
    attempts.set(id, attempt);
    return attempt;
  }

  async function readOnce(id: string): Promise<StoredProposal> {
    const proposal = unrecorded.recordOutcome(loadProposal(store, id));
    if (proposal.state === 'unknown') return readAgain(proposal);
    inFlight.forget(id);
    return proposal;
  }

  async function readAgain(proposal: StoredProposal): Promise<StoredProposal> {
    const operation = operations[proposal.operation];
    if (operation.settle !== undefined) return operation.settle(proposal, settle);
    const mayArrive = inFlight.mayArriveAfterNow(proposal);
    const readBack = await operation.readBack(proposal);
    const settled = conclude(proposal, readBack, mayArrive);
    if (settled.state !== 'unknown' || isUnknowable(settled)) inFlight.forget(proposal.id);
    return settled;
  }

  /** For an accepted write, any read is final. Without an answer, only success is certain while the write may still arrive. */
  function conclude(proposal: StoredProposal, readBack: ReadBack, mayArrive: boolean): StoredProposal {
    const { evidence, verdicts } = readBack;
    if (wasAccepted(proposal)) return end(proposal, readBack);
    if (evidence === 'payload') return end(proposal, { ...readBack, isAsSent: true });
    if (mayArrive) return proposal;
    if (evidence === 'none') return giveUp(proposal);
    if (evidence === 'other') return end(proposal, { ...readBack, isAsSent: false });
    return journal.move(proposal, 'refused', { set: { verdicts, outcome: outcomeWith('write_not_stored') } });
  }

  function end(proposal: StoredProposal, readBack: ReadBack): StoredProposal {
    const { to, set } = endOf(readBack);
    return journal.move(proposal, to, { set });
  }

  function giveUp(proposal: StoredProposal): StoredProposal {
    if (isUnknowable(proposal)) return proposal;
    return journal.move(proposal, 'unknown', { set: { outcome: outcomeWith('outcome_unknowable') } });
  }

  async function attempt(id: string, delayMs: number): Promise<void> {
    timers.delete(id);
    const wakingsBefore = wakings;
    try {
      const settled = await settle(id);
      if (settled.state !== 'unknown' || isUnknowable(settled)) return;
    } catch (failure) {
      logger.warn({ failure, proposal: id }, 'An unknown outcome could not be settled yet');
    }
    // A read that failed because the machine slept is no evidence about the service now.
    if (wakings > wakingsBefore && !disposed) return attempt(id, firstDelayMs);
    attemptLater(id, delayMs);
  }

  function attemptLater(id: string, delayMs: number): void {
    if (disposed) return;
    const next = Math.min(delayMs * 2, maxDelayMs);
    timers.get(id)?.();
    timers.set(
      id,
      clock.after(delayMs, () => void attempt(id, next)),
    );
  }

  return {
    /** Settles an unknown outcome, after a delay if it could not be recorded. Does not change any other proposal. */
    watch(id: string): void {
      if (unrecorded.has(id)) attemptLater(id, firstDelayMs);
      else void attempt(id, firstDelayMs);
    },
    settle,
    retryNow(): void {
      if (disposed) return;
      wakings += 1;
      for (const [id, cancel] of timers) {
        cancel();
        void attempt(id, firstDelayMs);
      }
    },
    async dispose(): Promise<void> {
      disposed = true;
      for (const cancel of timers.values()) cancel();
      await Promise.allSettled(attempts.values());
    },
  };
}

/** Withdraws approved writes that had not begun before a crash, and marks begun writes as unknown. Returns ids that stay locked. */
export function recover(options: { store: AppStore; unrecorded: Unrecorded; logger: Logger }): string[] {
  const { store, unrecorded, logger } = options;
  function isUnsettled(proposal: StoredProposal): boolean {
    if (proposal.state === 'unknown') return true;
    unrecorded.remember(proposal.id, { kind: 'none' });
    try {
      return unrecorded.recordOutcome(proposal).state === 'unknown';
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.error({ failure, proposal: proposal.id }, 'A proposal could not be recovered');
      return true;
    }
  }
  return store.proposals
    .open()
    .filter(({ state }) => !isUndecided(state))
    .filter(({ id }) => isUnsettled(loadProposal(store, id)))
    .map(({ id }) => id);
}
