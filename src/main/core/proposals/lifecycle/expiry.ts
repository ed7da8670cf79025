import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { Journal } from './journal/journal.ts';
import { outcomeWith } from '../operations/outcome.ts';

/** Expires proposals that were not decided in time. */
export interface Expiry {
  /** Ends everything that is past its time now. Fails as the journal does. */
  sweep(): void;
  /** A proposal was added: the next sweep may have to come earlier. Never fails: what was added stands. */
  schedule(): void;
  /** Looks now and not when the timer says so, which stood still while the machine slept. Never fails. */
  lookNow(): void;
  dispose(): void;
}

export interface ExpiryOptions {
  store: AppStore;
  journal: Journal;
  /** Hides the showing of a proposal that has expired. */
  hide(id: string): void;
  clock: Clock;
  logger: Logger;
}

/**
 * The longest time between two looks while something waits, and the wait after a sweep that failed, in milliseconds. A timer
 * neither follows a clock that is set nor counts the time that a machine sleeps, and a very long one ends at once.
 */
const longestWaitMs = 30_000;

/** A change that a schedule made due waits as long as the service's approval of it. */
function codeOf({ proposedBy }: Pick<StoredProposal, 'proposedBy'>): ErrorCode {
  return proposedBy.kind === 'schedule' ? 'due_approval_ended' : 'proposal_expired';
}

export function createExpiry({ store, journal, hide, clock, logger }: ExpiryOptions): Expiry {
  let cancel = (): void => {};
  let disposed = false;

  function sweep(): void {
    for (const proposal of store.proposals.due(clock.nowMs())) {
      journal.move(proposal, 'expired', { set: { outcome: outcomeWith(codeOf(proposal)) } });
      hide(proposal.id);
    }
  }

  function schedule(): void {
    try {
      const next = store.proposals.nextExpiryMs();
      wake(next === null ? null : Math.min(Math.max(0, next - clock.nowMs()), longestWaitMs));
    } catch (failure) {
      logger.error({ failure }, 'The next expiry could not be read');
      wake(longestWaitMs);
    }
  }

  function wake(delayMs: number | null): void {
    cancel();
    if (delayMs !== null && !disposed) cancel = clock.after(delayMs, run);
  }

  function run(): void {
    cancel();
    try {
      sweep();
      schedule();
    } catch (failure) {
      logger.error({ failure }, 'Proposals past their time could not be ended');
      wake(longestWaitMs);
    }
  }

  return {
    sweep,
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
