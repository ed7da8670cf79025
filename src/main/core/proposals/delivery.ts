import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { assertSameAccount } from './account.ts';
import type { AgentGuard } from './agent-guard.ts';
import { createCrossings } from './crossings.ts';
import { assertUntouched } from './fingerprint.ts';
import { loadProposal } from './journal.ts';
import { assertUnlocked } from './locks.ts';
import type { Draft, Reread } from './operation.ts';
import { outcomeOf, outcomeWith } from './outcome.ts';
import { resting } from './rest.ts';
import { createSending, type SendingOptions } from './sending.ts';

/** What a person approved: the fingerprint as it was shown, from the core's memory and not from the disk. */
export interface Approved {
  id: string;
  fingerprint: string;
}

/** What came of an approved proposal: at rest, and the one that asks again where its campaign had moved. */
export interface Delivered {
  proposal: StoredProposal;
  successor: StoredProposal | null;
}

export type Deliver = (approved: Approved) => Promise<Delivered>;

export interface DeliveryOptions extends Omit<SendingOptions, 'crossings'> {
  store: AppStore;
  profiles: Pick<Profiles, 'get'>;
  guard: Pick<AgentGuard, 'assertThawed'>;
  /** True once the program ends: what has not begun by then is stopped. */
  isEnding(): boolean;
}

/**
 * Takes an approved proposal to its end: reads again, writes the intent down, sends the shown bytes once, and reads back.
 * What keeps it from being sent is told in the proposal, never thrown. What a failing disk or ledger keeps from being
 * recorded is left over, and told as it will be recorded. Fails only with `stopped_before_sending`, when the proposal
 * itself cannot be read.
 */
export function createDelivery(options: DeliveryOptions): Deliver {
  const { store, profiles, guard, journal, leftovers, clock, logger, operations, isEnding } = options;
  const crossings = createCrossings();
  const send = createSending({ ...options, crossings });

  async function deliver(approved: Approved): Promise<Delivered> {
    const proposal = loadApproved(approved);
    try {
      return await carryOut(proposal, approved);
    } catch (failure) {
      // Sending tells what came of a write itself: whatever fails here failed before.
      leaveUnsent(approved, failure);
      return alone(resting(proposal, { kind: 'none' }));
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

  async function carryOut(proposal: StoredProposal, approved: Approved): Promise<Delivered> {
    let reread;
    try {
      reread = await readAgain(proposal, approved);
    } catch (failure) {
      return alone(stop(proposal, failure));
    }
    switch (reread.kind) {
      case 'unmoved':
        return alone(await sendUnmoved(approved));
      case 'moved':
        return replace(proposal, reread.successor);
      case 'conflict': {
        const outcome = outcomeWith('proposal_stale', reread.message ?? sameField);
        return alone(journal.move(proposal, 'stale', { set: { conflict: reread.conflict, outcome } }));
      }
      case 'impossible':
        return alone(journal.move(proposal, 'stale', { set: { outcome: outcomeOf(reread.failure) } }));
      default:
        return assertNever(reread);
    }
  }

  async function readAgain(proposal: StoredProposal, approved: Approved): Promise<Reread> {
    for (;;) {
      if (isEnding()) throw new AppError('stopped_before_sending');
      assertSendable(proposal, approved);
      const { reread } = operations[proposal.operation];
      const { found, isCrossed } = await crossings.during(proposal, () => reread(proposal));
      if (!isCrossed) return found;
    }
  }

  /** What is sent is what the disk holds now, and only when it is what was approved. */
  async function sendUnmoved(approved: Approved): Promise<StoredProposal> {
    const proposal = loadProposal(store, approved.id);
    try {
      assertSendable(proposal, approved);
    } catch (failure) {
      return stop(proposal, failure);
    }
    return send(proposal);
  }

  function assertSendable(proposal: StoredProposal, { fingerprint }: Approved): void {
    if (clock.nowMs() >= proposal.expiresAtMs) throw new AppError('proposal_expired');
    // Whoever freezes agents stops also what was approved and has not left: the rest of a batch would undo a pause.
    if (proposal.proposedBy.kind === 'agent') guard.assertThawed();
    assertUnlocked(store, proposal);
    assertUntouched({ ...proposal, fingerprint });
    // Fails with `profile_unknown` where the profile is gone. Where nobody has told the account, reading again does.
    assertSameAccount(proposal, profiles.get(proposal.profile.id).account || null);
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

  function replace(proposal: StoredProposal, draft: Draft): Delivered {
    return store.transaction(() => {
      const successor = journal.propose(draft, proposal);
      const outcome = outcomeWith('proposal_stale');
      const stale = journal.move(proposal, 'stale', { set: { replacedBy: successor.id, outcome } });
      return { proposal: stale, successor };
    });
  }

  return deliver;
}

const sameField = 'Somebody else changed the same field. Nothing was sent.';

function alone(proposal: StoredProposal): Delivered {
  return { proposal, successor: null };
}
