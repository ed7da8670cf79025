import { entryBy, type Ledger } from '#core/ledger/index.ts';
import { type Clock, momentNow } from '#core/platform/clock.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { waitingMinutesSchema } from '#shared/app-api/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import { isUndecided, defaultWaitingMinutes, waitingTimeText } from '#shared/proposals/states.ts';
import { memberIds } from '../operations/stored-proposals.ts';
import { outcomeWith } from '../operations/outcome.ts';
import type { Journal } from './journal.ts';

interface ExpiryOptions {
  store: AppStore;
  journal: Journal;
  hide(id: string): void;
  clock: Clock;
  limitClock: LimitClock;
  logger: Logger;
}

/**
 * Maximum wait between checks: a timer ignores changes of the clock,
 * does not count sleep, and fires at once if its delay is too long.
 */
const maxWaitMs = 30_000;
const maxAtOnce = 10;

/** A change that a schedule made due has a code of its own, because it waits until the service's approval of it ends. */
function codeOf({ proposedBy }: Pick<StoredProposal, 'proposedBy'>): ErrorCode {
  return proposedBy.kind === 'schedule' ? 'due_approval_ended' : 'proposal_expired';
}

export function createExpiry(options: ExpiryOptions) {
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
      wake(leftMs === null ? null : Math.min(Math.max(0, leftMs), maxWaitMs));
    } catch (failure) {
      logger.error({ failure }, 'The next expiry could not be read');
      wake(maxWaitMs);
    }
  }

  function wake(delayMs: number | null): void {
    cancel();
    if (delayMs !== null && !disposed) cancel = clock.after(delayMs, run);
  }

  /** Expires a few proposals per call, so that a thousand do not block other work. */
  function run(): void {
    cancel();
    try {
      const due = store.proposals.due(momentNow(limitClock), maxAtOnce);
      if (due.length > 0) end(due);
      if (due.length === maxAtOnce) runNext();
      else schedule();
    } catch (failure) {
      logger.error({ failure }, 'Proposals past their time could not be ended');
      wake(maxWaitMs);
    }
  }

  function runNext(): void {
    const next = setImmediate(() => {
      if (!disposed) run();
    });
    cancel = () => clearImmediate(next);
  }

  return {
    /** Expires this proposal, and the members of a batch, if they are past their time. Fails as the journal does. */
    endDue(id: string): void {
      const proposal = store.proposals.find(id);
      if (proposal === null || !isUndecided(proposal.state)) return;
      const due = store.proposals.dueAmong([...memberIds(proposal), id], momentNow(limitClock));
      if (due.length > 0) end(due);
    },
    schedule,
    /** Checks now, because the timer stopped while the machine slept. Never fails. */
    lookNow(): void {
      if (!disposed) run();
    },
    dispose(): void {
      disposed = true;
      cancel();
    },
  };
}

const setting = 'proposals.waitingMinutes';

export type WaitingTime = ReturnType<typeof createWaitingTime>;

export function createWaitingTime(options: {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  onChange(): void;
  formats(): Formats;
}) {
  const { store, ledger, onChange, formats } = options;

  function minutes(): number {
    const stored = waitingMinutesSchema.safeParse(
      Number(store.settings.get(setting) ?? defaultWaitingMinutes),
    );
    return stored.success ? stored.data : defaultWaitingMinutes;
  }

  return {
    minutes,
    /**
     * Applies to later proposals, and is on record. Fails as the ledger
     * does. Throws for minutes outside the limits of the app API.
     */
    set(wanted: number): void {
      const after = waitingMinutesSchema.parse(wanted);
      const before = minutes();
      if (after === before) return;
      store.transaction(() => {
        store.settings.set(setting, String(after));
        ledger.append(
          entryBy('You', {
            kind: 'waiting.changed',
            summary: sentence`Changes wait ${ownWords(waitingTimeText(after, formats()))} for a decision`,
            body: { beforeMinutes: before, afterMinutes: after },
          }),
        );
        store.afterCommit(onChange);
      });
    },
  };
}
