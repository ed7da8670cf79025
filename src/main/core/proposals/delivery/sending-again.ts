import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { Approved } from './approved.ts';
import type { Leaving } from './leaving.ts';
import type { Crossings } from './crossings.ts';
import { loadProposal, type Journal, type Move } from '../lifecycle/journal.ts';
import type { Leftovers } from '../lifecycle/unrecorded.ts';
import type { Operations, Reread } from '../operations/operation.ts';
import { outcomeOf, outcomeWith, type Outcome } from '../lifecycle/outcome.ts';
import type { Send, Sending, Waiting } from './sending.ts';
import { alone, type Delivered, type Succeed } from './successors.ts';

export interface SendingAgainOptions {
  store: AppStore;
  journal: Journal;
  leftovers: Leftovers;
  logger: Logger;
  operations: Operations;
  leaving: Leaving;
  crossings: Crossings;
  send: Send;
  succeed: Succeed;
}

/** What became of a write whose pause is over. */
export type Resumed = { kind: 'ended'; delivered: Delivered } | Extract<Sending, { kind: 'waits' }>;

/**
 * Sends a write once more that the service refused with 429, the same bytes under the same intent, after it was compared again.
 * What keeps it from that ends it as refused: the service stored nothing, and that is certain. Never fails.
 */
export function createSendingAgain(options: SendingAgainOptions) {
  const { store, journal, leftovers, logger, operations, leaving, crossings, send, succeed } = options;

  return async (waiting: Waiting, approved: Approved): Promise<Resumed> => {
    try {
      return await sendAgain(waiting, approved);
    } catch (failure) {
      return refuse(waiting, { outcome: outcomeAfter(failure) });
    }
  };

  async function sendAgain(waiting: Waiting, approved: Approved): Promise<Resumed> {
    const reread = await compare(waiting.intent, approved);
    switch (reread.kind) {
      case 'unmoved': {
        const intent = loadProposal(store, approved.id);
        leaving.assertValid(intent, approved);
        const sent = await send({ ...intent, verdicts: reread.left ?? [] }, waiting.tries + 1);
        return sent.kind === 'waits' ? sent : ended(alone(sent.proposal));
      }
      case 'moved':
        return ended(succeed(waiting.intent, reread.successor, { to: 'refused', outcome: moved }));
      case 'conflict':
        return refuse(waiting, { outcome: moved, conflict: reread.conflict });
      case 'impossible':
        return refuse(waiting, { outcome: outcomeOf(reread.failure) });
      default:
        return assertNever(reread);
    }
  }

  async function compare(intent: StoredProposal, approved: Approved): Promise<Reread> {
    const { reread } = operations[intent.operation];
    for (;;) {
      leaving.assertBegins();
      leaving.assertValid(intent, approved);
      const { found, isCrossed } = await crossings.during(intent, () => reread(intent));
      if (!isCrossed) return found;
    }
  }

  function refuse({ intent }: Waiting, set: NonNullable<Move['set']> & { outcome: Outcome }): Resumed {
    try {
      return ended(alone(journal.move(intent, 'refused', { set })));
    } catch (failure) {
      logger.error({ failure, proposal: intent.id }, 'The end of a write that waited could not be recorded');
      leftovers.leave(intent.id, { kind: 'refused', outcome: set.outcome });
      return ended(alone({ ...intent, state: 'refused', outcome: set.outcome }));
    }
  }

  /** In words that are true of a write that the service has refused already. */
  function outcomeAfter(failure: unknown): Outcome {
    if (!(failure instanceof AppError)) logger.error({ failure }, 'A write that waited was stopped');
    const { code } = outcomeOf(failure);
    if (code === 'stopped_before_sending') return outcomeWith('rate_limited', endedMeanwhile);
    return code === 'proposal_expired' ? outcomeWith(code, expiredMeanwhile) : outcomeOf(failure);
  }
}

const asked = 'The service took no more requests';
const endedMeanwhile = `${asked}, and Countersign ended before the change was sent again. Nothing was stored.`;
const expiredMeanwhile = `${asked}, and the approval ran out before the change was sent again. Nothing was stored.`;
const moved = outcomeWith(
  'proposal_stale',
  `${asked}, and the campaign changed before the change was sent again. Nothing was stored.`,
);

function ended(delivered: Delivered): Resumed {
  return { kind: 'ended', delivered };
}
