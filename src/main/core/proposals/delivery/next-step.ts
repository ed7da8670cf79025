import type { ProposalPatch } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import {
  endOf,
  outcomeOf,
  outcomeWith,
  asSettled,
  type WriteAnswer,
  type Outcome,
} from '../operations/outcome.ts';
import type { Attempt } from './approved-writes.ts';
import type { CampaignBefore, PreparedWrite, ReadBack, Reread } from '../operations/operation.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export type AttemptEvent =
  /** The write may not be sent, could not be compared, or its next step could not be recorded. Nothing was stored. */
  | { kind: 'prevented'; failure: unknown }
  | { kind: 'compared'; reread: Reread; nowMs: number }
  /** `pauseMs`: how long the service refuses requests, in milliseconds. Then the write may be sent again. */
  | { kind: 'answered'; answer: WriteAnswer; pauseMs: number | null }
  | { kind: 'read'; readBack: ReadBack | null };

export interface AttemptStep {
  to: ProposalState;
  set: ProposalPatch;
  answer?: string | null;
  before?: readonly CampaignBefore[];
  successor?: PreparedWrite;
  next: 'send' | 'read' | 'end' | { pauseMs: number };
  /** The answer to remember if this step cannot be recorded. Null if the write then counts as prevented. */
  unrecorded: WriteAnswer | null;
}

/**
 * Decides the next step of a delivery. A write that is stopped before it was sent once ends as withdrawn, expired
 * or stale. A write that is stopped after a 429 ends as refused, because the service certainly stored nothing.
 */
export function nextStep(attempt: Attempt, event: AttemptEvent): AttemptStep {
  switch (event.kind) {
    case 'prevented':
      return endUnsent(attempt, preventedBy(event.failure, attempt.sent));
    case 'compared':
      return afterComparison(attempt, event);
    case 'answered':
      return afterAnswer(attempt, event);
    case 'read':
      return afterRead(attempt, event.readBack);
    default:
      return assertNever(event);
  }
}

function afterComparison(
  attempt: Attempt,
  { reread, nowMs }: Extract<AttemptEvent, { kind: 'compared' }>,
): AttemptStep {
  const again = attempt.sent > 0;
  switch (reread.kind) {
    case 'unchanged': {
      const set = { intentAtMs: nowMs, outcome: null, verdicts: reread.left ?? [] };
      const { before = [] } = reread;
      return { to: 'intent', set, before, next: 'send', unrecorded: again ? null : unsent };
    }
    case 'outdated': {
      const outcome = again ? changedMeanwhile : outcomeWith('proposal_stale');
      const step = endUnsent(attempt, { to: 'stale', set: { outcome } });
      return { ...step, successor: reread.successor, unrecorded: again ? null : unsent };
    }
    case 'conflict': {
      const outcome = again ? changedMeanwhile : outcomeWith('proposal_stale', reread.message ?? sameField);
      return endUnsent(attempt, { to: 'stale', set: { conflict: reread.conflict, outcome } });
    }
    case 'impossible':
      return endUnsent(attempt, { to: 'stale', set: { outcome: outcomeOf(reread.failure) } });
    default:
      return assertNever(reread);
  }
}

interface UnsentEnd {
  to: ProposalState;
  set: ProposalPatch & { outcome: Outcome };
}

function endUnsent({ sent }: Attempt, { to, set }: UnsentEnd): AttemptStep {
  if (sent === 0) return { to, set, next: 'end', unrecorded: unsent };
  return { to: 'refused', set, next: 'end', unrecorded: { kind: 'refused', outcome: set.outcome } };
}

/** A write that the service has already refused needs its own messages: "Nothing was sent" would be wrong. */
function preventedBy(failure: unknown, sent: number): UnsentEnd {
  const known = outcomeOf(failure);
  if (sent === 0) {
    return { to: timeEnded.includes(known.code) ? 'expired' : 'withdrawn', set: { outcome: known } };
  }
  const code = failure instanceof AppError ? failure.code : null;
  if (code === 'stopped_before_sending') {
    return { to: 'refused', set: { outcome: outcomeWith('rate_limited', endedMeanwhile) } };
  }
  const outcome = timeEnded.includes(known.code) ? outcomeWith(known.code, expiredMeanwhile) : known;
  return { to: 'refused', set: { outcome } };
}

function afterAnswer(
  { proposal }: Attempt,
  { answer, pauseMs }: Extract<AttemptEvent, { kind: 'answered' }>,
): AttemptStep {
  if (pauseMs !== null) {
    const message = sentence`The service takes no more requests for now. The change is sent again in ${Math.ceil(pauseMs / 1000)} s.`;
    const set = { outcome: outcomeWith('write_waits', message) };
    return { to: 'intent', set, next: { pauseMs }, unrecorded: answer };
  }
  const text = answer.text ?? null;
  if (answer.kind === 'accepted') {
    return { to: 'sent', set: {}, answer: text, next: 'read', unrecorded: answer };
  }
  const { state: to, outcome } = asSettled(proposal, answer);
  return { to, set: { outcome }, answer: text, next: 'end', unrecorded: answer };
}

function afterRead({ proposal }: Attempt, readBack: ReadBack | null): AttemptStep {
  const unrecorded: WriteAnswer = { kind: 'accepted' };
  if (readBack !== null) return { ...endOf(readBack), next: 'end', unrecorded };
  const { state: to, outcome } = asSettled(proposal, unrecorded);
  return { to, set: { outcome }, next: 'end', unrecorded };
}

const timeEnded: readonly Outcome['code'][] = ['not_sent_in_time', 'approval_ended'];
const unsent: WriteAnswer = { kind: 'none' };
const sameField = sentence`Someone else changed the same field. Nothing was sent.`;
const asked = ownWords('The service took no more requests');
const endedMeanwhile = sentence`${asked}, and Countersign ended before the change was sent again. Nothing was stored.`;
const expiredMeanwhile = sentence`${asked}, and the approval ran out before the change was sent again. Nothing was stored.`;
const changedMeanwhile = outcomeWith(
  'proposal_stale',
  sentence`${asked}, and the campaign changed before the change was sent again. Nothing was stored.`,
);
