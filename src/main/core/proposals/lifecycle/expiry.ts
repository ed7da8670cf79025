import { type Clock, momentNow } from '#core/platform/clock.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { Journal } from './journal/journal.ts';
import { loadMembers } from '../operations/load-proposal.ts';
import { isPastItsTime } from '../operations/operation.ts';
import { readBatch } from '../operations/batch/stored-parts.ts';
import { outcomeWith } from '../operations/outcome.ts';
import { isUndecided } from '#shared/proposals/states.ts';

export interface Expiry {
  /** Ends this proposal, and of a batch the members, if they are past their time now. Fails as the journal does. */
  endDue(id: string): void;
  /** A proposal was added: the next look may have to come earlier. Never fails: what was added stands. */
  schedule(): void;
  /** Looks now and not when the timer says so, which stood still while the machine slept. Never fails. */
  lookNow(): void;
  dispose(): void;
}

export interface ExpiryOptions {
  store: AppStore;
  journal: Journal;
  hide(id: string): void;
  clock: Clock;
  limitClock: LimitClock;
  logger: Logger;
}

/**
 * The longest time between two looks while something waits, and the wait after a sweep that failed, in milliseconds. A timer
 * neither follows a clock that is set nor counts the time that a machine sleeps, and a very long one ends at once.
 */
const longestWaitMs = 30_000;

const maxAtOnce = 10;

/** A change that a schedule made due waits as long as the service's approval of it. */
function codeOf({ proposedBy }: Pick<StoredProposal, 'proposedBy'>): ErrorCode {
  return proposedBy.kind === 'schedule' ? 'due_approval_ended' : 'proposal_expired';
}

export function createExpiry(options: ExpiryOptions): Expiry {
  const { store, journal, hide, clock, limitClock, logger } = options;
  let cancel = (): void => {};
  let disposed = false;

  function end(proposals: readonly StoredProposal[]): void {
    store.transaction(() => {
      for (const proposal of proposals) {
        journal.move(proposal, 'expired', { set: { outcome: outcomeWith(codeOf(proposal)) } });
        store.afterCommit(() => hide(proposal.id));
      }
    });
  }

  function schedule(): void {
    try {
      const leftMs = store.proposals.leftUntilExpiryMs(momentNow(limitClock));
      wake(leftMs === null ? null : Math.min(Math.max(0, leftMs), longestWaitMs));
    } catch (failure) {
      logger.error({ failure }, 'The next expiry could not be read');
      wake(longestWaitMs);
    }
  }

  function wake(delayMs: number | null): void {
    cancel();
    if (delayMs !== null && !disposed) cancel = clock.after(delayMs, run);
  }

  /** Ends some of what is past its time; the others follow in later turns, so that a thousand hold nobody up. */
  function run(): void {
    cancel();
    try {
      const due = store.proposals.due(momentNow(limitClock), maxAtOnce);
      if (due.length > 0) end(due);
      if (due.length === maxAtOnce) runNext();
      else schedule();
    } catch (failure) {
      logger.error({ failure }, 'Proposals past their time could not be ended');
      wake(longestWaitMs);
    }
  }

  function runNext(): void {
    const next = setImmediate(() => {
      if (!disposed) run();
    });
    cancel = () => clearImmediate(next);
  }

  return {
    endDue(id) {
      const proposal = store.proposals.find(id);
      if (proposal === null || !isUndecided(proposal.state)) return;
      const isDue = (one: StoredProposal): boolean =>
        isUndecided(one.state) && isPastItsTime(one, limitClock);
      const members = proposal.operation === 'batch' ? loadMembers(store, readBatch(proposal).members) : [];
      const due = [...members, proposal].filter(isDue);
      if (due.length > 0) end(due);
    },
    schedule,
    lookNow() {
      if (!disposed) run();
    },
    dispose() {
      disposed = true;
      cancel();
    },
  };
}
