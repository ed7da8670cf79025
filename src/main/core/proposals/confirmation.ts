import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type {
  Confirmer,
  ConfirmationPort,
  Decision,
  DecisionResult,
  Seen,
  Showing,
} from '#shared/host-api/index.ts';
import type { Deliver } from './delivery.ts';
import type { Expiry } from './expiry.ts';
import { assertUntouched } from './fingerprint.ts';
import { loadProposal, type Journal } from './journal.ts';
import { assertUnlocked } from './locks.ts';
import { assertArmed, assertSameChange, type LivingShowing, type Showings } from './showings.ts';
import { isUndecided } from './state-table.ts';

/** The confirmer's host talks to the port; the app's pages can only ask for a showing. */
export interface Confirmation {
  port: Omit<ConfirmationPort, 'putAway'>;
  /**
   * Shows the proposal to the person. Fails with `proposal_expired`, `proposal_not_waiting`, `fingerprint_mismatch`, or as
   * the host does.
   */
  review(id: string): Promise<{ address: string | null }>;
  /** Shows it without being asked, where the host does that. Fails as `review` does. */
  announce(id: string): void;
}

export interface ConfirmationOptions {
  store: AppStore;
  journal: Journal;
  showings: Showings;
  expiry: Expiry;
  clock: Clock;
  logger: Logger;
  confirmer: Confirmer;
  view(proposal: StoredProposal): ProposalView;
  /** Takes an approved proposal to its end. */
  deliver: Deliver;
}

export function createConfirmation(options: ConfirmationOptions): Confirmation {
  const { store, journal, showings, expiry, clock, logger, confirmer, view, deliver } = options;

  /** Who decides is the person at the host's own window. */
  const byPerson = { actor: 'You', via: confirmer.via };

  function show(id: string): { living: LivingShowing; showing: Showing } {
    expiry.sweep();
    const proposal = loadProposal(store, id);
    assertUndecided(proposal);
    assertUntouched(proposal);
    const living = showings.open(proposal);
    return { living, showing: showingOf(living, proposal) };
  }

  /** Whoever comes with the nonce has been shown it; an address that nobody opened has shown nothing. */
  function witness(seen: Seen): { showing: LivingShowing; proposal: StoredProposal } {
    const showing = showings.require(seen);
    const proposal = loadProposal(store, showing.proposalId);
    if (showing.recorded || !isUndecided(proposal.state)) return { showing, proposal };
    const shown = journal.move(proposal, 'shown', { by: { via: confirmer.via } });
    showing.recorded = true;
    return { showing, proposal: shown };
  }

  function showingOf({ showingId, nonce, fingerprint }: LivingShowing, proposal: StoredProposal): Showing {
    return { showingId, nonce, fingerprint, proposal: view(proposal) };
  }

  function approve(showing: LivingShowing, proposal: StoredProposal, { typed }: Decision): StoredProposal {
    assertArmed(showing, clock.monotonicMs());
    assertUntouched({ ...proposal, fingerprint: showing.fingerprint });
    assertTyped(view(proposal), typed);
    assertUnlocked(store, proposal);
    return journal.move(proposal, 'approved', { by: byPerson });
  }

  async function decide(decision: Decision): Promise<DecisionResult> {
    const showing = showings.require(decision);
    assertSameChange(showing, decision);
    expiry.sweep();
    assertUndecided(loadProposal(store, showing.proposalId));
    const { proposal } = witness(decision);
    if (decision.decision === 'deny') {
      const denied = journal.move(proposal, 'denied', { by: byPerson, set: { reason: decision.reason } });
      showings.end(proposal.id);
      return { proposal: view(denied), again: null };
    }
    approve(showing, proposal, decision);
    showings.end(proposal.id);
    const { proposal: ended, successor } = await deliver({
      id: proposal.id,
      fingerprint: showing.fingerprint,
    });
    return { proposal: view(ended), again: successor === null ? null : showAgain(successor.id) };
  }

  /** Null when it cannot be shown now. The decision was carried out all the same, and the successor waits in the list. */
  function showAgain(id: string): Showing | null {
    try {
      return show(id).showing;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: id }, 'A change that moved could not be shown again');
      return null;
    }
  }

  return {
    port: {
      seen(seen) {
        witness(seen).showing.seenAtMs = clock.monotonicMs();
      },
      look(seen) {
        const { showing, proposal } = witness(seen);
        return showingOf(showing, proposal);
      },
      decide,
    },
    async review(id) {
      const { living, showing } = show(id);
      try {
        return await confirmer.show(showing);
      } catch (failure) {
        showings.drop(living);
        throw failure;
      }
    },
    announce: (id) => confirmer.announce?.(show(id).showing),
  };
}

function assertUndecided({ state }: StoredProposal): void {
  if (state === 'expired') throw new AppError('proposal_expired');
  if (!isUndecided(state)) throw new AppError('proposal_not_waiting');
}

function assertTyped({ typeToConfirm }: ProposalView, typed: string | null): void {
  if (typeToConfirm !== null && typed !== typeToConfirm.value) throw new AppError('typed_value_wrong');
}
