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
  /** Expires this proposal, and the members of a batch, that are past their time. Fails as the journal does. */
  endDue(id: string): void;
  schedule(): void;
  /** Looks now: the timer stood still while the machine slept. Never fails. */
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

/** Longest wait between two looks: a timer does not follow a clock that is set, counts no sleep, and ends at once if it is very long. */
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

  /** A few at a time, so that a thousand block nothing. */
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
