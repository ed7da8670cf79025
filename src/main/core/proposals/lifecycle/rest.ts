import type { StoredProposal } from '#core/store/app/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { outcomeWith, type Outcome } from './outcome.ts';

/** What is known of the service's answer to a write. A refusal is certain; `none` leaves open what was stored. */
export type Answer = {
  /** The service's answer to keep, as JSON text. */
  text?: string | null;
} & ({ kind: 'accepted' } | { kind: 'refused'; outcome: Outcome } | { kind: 'none' });

export interface Rest {
  to: 'withdrawn' | 'refused' | 'unknown';
  outcome: Outcome;
}

/**
 * Where an approved proposal rests that nobody works on any more, by how far its record came and by what the service
 * answered. Null when it rests already or was never approved.
 */
export function restOf({ state }: StoredProposal, answer: Answer): Rest | null {
  switch (state) {
    case 'approved':
      return { to: 'withdrawn', outcome: outcomeWith('stopped_before_sending') };
    case 'intent':
      return restAfter(answer);
    case 'sent':
      return restAfter({ kind: 'accepted' });
    default:
      return null;
  }
}

function restAfter(answer: Answer): Rest {
  switch (answer.kind) {
    case 'accepted':
      return { to: 'unknown', outcome: outcomeWith('accepted_not_read') };
    case 'refused':
      return { to: 'refused', outcome: answer.outcome };
    case 'none':
      return { to: 'unknown', outcome: outcomeWith('outcome_unknown') };
    default:
      return assertNever(answer);
  }
}

/** True when the service is known to have accepted the write, though nobody has read what it holds now. */
export function wasAccepted({ state, outcome }: StoredProposal): boolean {
  return state === 'sent' || outcome?.code === 'accepted_not_read';
}

/** The proposal as it will be on record once its rest can be recorded. */
export function resting(proposal: StoredProposal, answer: Answer): StoredProposal {
  const rest = restOf(proposal, answer);
  return rest === null ? proposal : { ...proposal, state: rest.to, outcome: rest.outcome };
}
