import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { AgentGuard } from '../proposing/agent-guard.ts';
import type { Approved } from './approved.ts';
import { createLeaving, type LeavingOptions } from './leaving.ts';
import { createCrossings } from './crossings.ts';
import { loadProposal } from '../lifecycle/journal.ts';
import { assertUnlocked } from '../lifecycle/locks.ts';
import type { Reread } from '../operations/operation.ts';
import { outcomeOf, outcomeWith } from '../lifecycle/outcome.ts';
import type { Pausing } from './pausing.ts';
import { resting } from '../lifecycle/rest.ts';
import { createSendingAgain, type Resumed } from './sending-again.ts';
import { createSending, type SendingOptions } from './sending.ts';
import { alone, createSucceed, type Delivered } from './successors.ts';
import type { InTurn } from './ways.ts';

export type Deliver = (approved: Approved) => Promise<Delivered>;

export interface DeliveryOptions extends Omit<SendingOptions, 'crossings'>, LeavingOptions {
  store: AppStore;
  guard: AgentGuard;
  inTurn: InTurn;
  pausing: Pausing;
}

/**
 * Takes an approved proposal to its end: reads again, writes the intent down, sends the shown bytes once, and reads back.
 * What keeps it from being sent is told in the proposal, never thrown. What a failing disk or ledger keeps from being
 * recorded is left over, and told as it will be recorded. Fails only with `stopped_before_sending`, when the proposal
 * itself cannot be read.
 */
export function createDelivery(options: DeliveryOptions): Deliver {
  const { store, journal, leftovers, logger, operations, inTurn, pausing } = options;
  const crossings = createCrossings();
  const leaving = createLeaving(options);
  const send = createSending({ ...options, crossings });
  const succeed = createSucceed(options);
  const sendAgain = createSendingAgain({ ...options, crossings, leaving, send, succeed });

  async function deliver(approved: Approved): Promise<Delivered> {
    let step = await inTurn(approved.id, () => begin(approved));
    while (step.kind === 'waits') {
      const waiting = step;
      const isWanted = (): boolean => leaving.isWanted(waiting.intent);
      // Others have their turn meanwhile: an emergency pause waits behind nobody who waits.
      await pausing.pass(waiting.pauseMs, isWanted);
      const resume = (): Promise<Resumed> => sendAgain(waiting, approved);
      step = isWanted() ? await inTurn(approved.id, resume) : await resume();
    }
    return step.delivered;
  }

  async function begin(approved: Approved): Promise<Resumed> {
    const proposal = loadApproved(approved);
    try {
      return await carryOut(proposal, approved);
    } catch (failure) {
      // Sending tells what came of a write itself: whatever fails here failed before.
      leaveUnsent(approved, failure);
      return ended(resting(proposal, { kind: 'none' }));
    }
  }

  function loadApproved(approved: Approved): StoredProposal {
    try {
      return loadProposal(store, approved.id);
    } catch (failure) {
      leaveUnsent(approved, failure);
      throw new AppError('stopped_before_sending', { cause: failure });
    }
  }

  function leaveUnsent({ id }: Approved, failure: unknown): void {
    logger.error({ failure, proposal: id }, 'An approved write that was not sent could not be recorded');
    leftovers.leave(id, { kind: 'none' });
  }

  async function carryOut(proposal: StoredProposal, approved: Approved): Promise<Resumed> {
    let reread;
    try {
      reread = await compare(proposal, approved);
    } catch (failure) {
      return ended(stop(proposal, failure));
    }
    switch (reread.kind) {
      case 'unmoved':
        return sendUnmoved(approved, reread.left);
      case 'moved': {
        const ending = { to: 'stale', outcome: outcomeWith('proposal_stale') } as const;
        return { kind: 'ended', delivered: succeed(proposal, reread.successor, ending) };
      }
      case 'conflict': {
        const outcome = outcomeWith('proposal_stale', reread.message ?? sameField);
        return ended(journal.move(proposal, 'stale', { set: { conflict: reread.conflict, outcome } }));
      }
      case 'impossible':
        return ended(journal.move(proposal, 'stale', { set: { outcome: outcomeOf(reread.failure) } }));
      default:
        return assertNever(reread);
    }
  }

  async function compare(proposal: StoredProposal, approved: Approved): Promise<Reread> {
    for (;;) {
      leaving.assertBegins();
      assertSendable(proposal, approved);
      const { reread } = operations[proposal.operation];
      const { found, isCrossed } = await crossings.during(proposal, () => reread(proposal));
      if (!isCrossed) return found;
    }
  }

  /** What is sent is what the disk holds now, and only when it is what was approved. */
  async function sendUnmoved(approved: Approved, left: StoredProposal['verdicts'] = []): Promise<Resumed> {
    const proposal = loadProposal(store, approved.id);
    try {
      assertSendable(proposal, approved);
    } catch (failure) {
      return ended(stop(proposal, failure));
    }
    const sent = await send({ ...proposal, verdicts: left }, 1);
    return sent.kind === 'waits' ? sent : ended(sent.proposal);
  }

  function assertSendable(proposal: StoredProposal, approved: Approved): void {
    leaving.assertValid(proposal, approved);
    assertUnlocked(store, proposal);
  }

  /** Ends an approved proposal of which nothing was sent. */
  function stop(proposal: StoredProposal, failure: unknown): StoredProposal {
    if (!(failure instanceof AppError)) {
      logger.error({ failure, proposal: proposal.id }, 'A write was stopped');
    }
    const outcome = outcomeOf(failure);
    const end = outcome.code === 'proposal_expired' ? 'expired' : 'withdrawn';
    return journal.move(proposal, end, { set: { outcome } });
  }

  return deliver;
}

const sameField = 'Someone else changed the same field. Nothing was sent.';

function ended(proposal: StoredProposal): Resumed {
  return { kind: 'ended', delivered: alone(proposal) };
}
