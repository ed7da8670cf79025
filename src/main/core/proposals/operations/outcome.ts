import type { ProposalPatch, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState, ProposalView } from '#shared/app-api/index.ts';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { redactText } from '#shared/lib/redact.ts';
import type { ReadBack } from './operation.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export type Outcome = NonNullable<StoredProposal['outcome']>;

/** Redacts text that looks like a credential, since the ledger is permanent. A bug gets a neutral text. */
export function outcomeOf(failure: unknown): Outcome {
  const known = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  const { code, message } = known;
  const fields = known.fields.map((one) => ({ ...one, message: redactText(one.message) }));
  const words = fields.map((one) => sentence` ${one.field}: ${ownWords(one.message)}`);
  return {
    code,
    message: withoutSecrets(sentence`${ownWords(message)}${ownWords(words.join(''))}`),
    ...(fields.length > 0 && { fields }),
  };
}

function withoutSecrets(message: Sentence): Sentence {
  return sentence`${ownWords(redactText(message))}`;
}

export function outcomeWith(code: ErrorCode, message: Sentence = catalogue[code].text): Outcome {
  return { code, message: withoutSecrets(message) };
}

export function isUnknowable({ state, outcome }: Pick<StoredProposal, 'state' | 'outcome'>): boolean {
  return state === 'unknown' && outcome?.code === 'outcome_unknowable';
}

/** The service's answer to a write. `refused` is certain. With `none`, it is not known whether the service stored the write. */
export type WriteAnswer = {
  text?: string | null;
} & ({ kind: 'accepted' } | { kind: 'refused'; outcome: Outcome } | { kind: 'none' });

interface Settlement {
  to: 'withdrawn' | 'refused' | 'unknown';
  outcome: Outcome;
}

/** The settled state of an approved proposal that is not being delivered. Null if it has settled or was never approved. */
export function settlementOf({ state }: StoredProposal, answer: WriteAnswer): Settlement | null {
  switch (state) {
    case 'approved':
      return { to: 'withdrawn', outcome: outcomeWith('stopped_before_sending') };
    case 'intent':
      return settlementAfter(answer);
    case 'sent':
      return settlementAfter({ kind: 'accepted' });
    default:
      return null;
  }
}

function settlementAfter(answer: WriteAnswer): Settlement {
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

/** True if the service accepted the write and the result has not been read. */
export function wasAccepted({ state, outcome }: StoredProposal): boolean {
  return state === 'sent' || outcome?.code === 'accepted_not_read';
}

export function asSettled(proposal: StoredProposal, answer: WriteAnswer): StoredProposal {
  const settlement = settlementOf(proposal, answer);
  return settlement === null ? proposal : { ...proposal, state: settlement.to, outcome: settlement.outcome };
}

export function endOf({ isAsSent, evidence, verdicts }: ReadBack): {
  to: ProposalState;
  set: ProposalPatch;
} {
  if (!isAsSent) return { to: 'differs', set: { verdicts, outcome: outcomeWith('stored_differently') } };
  return { to: evidence === 'none' ? 'done' : 'verified', set: { verdicts, outcome: null } };
}

export function outcomeView(outcome: StoredProposal['outcome']): ProposalView['outcome'] {
  if (outcome === null) return null;
  const { code, message } = outcome;
  return { code, message, next: catalogue[code].next };
}
