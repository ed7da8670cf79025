import type { Headline, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalSummary, ProposalView } from '#shared/app-api/index.ts';
import { catalogue } from '#shared/errors/index.ts';
import type { ProposalStatus } from '../agent-calls/agent-gate.ts';
import type { ProposalWords } from '../operations/operation.ts';

/** A proposal as a person sees it: the words that the core made of it, and what has become of it. */
export function proposalView(
  stored: StoredProposal,
  { group: _group, effects: _effects, ...words }: ProposalWords,
  queue: ProposalView['queue'],
): ProposalView {
  const { id, operation, state, profile, proposedBy, quotation, payload, fingerprint } = stored;
  const {
    createdAtMs,
    expiresAtMs,
    updatedAtMs,
    rebase,
    conflict,
    replacedBy,
    verdicts,
    reason,
    prunedAtMs,
  } = stored;
  return {
    id,
    operation,
    state,
    profile,
    proposedBy,
    quotation,
    createdAtMs,
    expiresAtMs,
    updatedAtMs,
    ...words,
    queue,
    payload,
    fingerprint,
    rebase,
    conflict,
    replacedBy,
    verdicts,
    outcome: outcomeView(stored.outcome),
    reason,
    prunedAtMs,
  };
}

/** The proposal as its agent is told of it. */
export function statusOf(stored: StoredProposal): ProposalStatus {
  const { id, state, rebase, conflict, verdicts, outcome, reason } = stored;
  return { id, state, rebase, conflict, verdicts, outcome: outcomeView(outcome), reason };
}

/** The short form for lists, without reading the payload. */
export function proposalSummary(stored: StoredProposal): ProposalSummary {
  const { id, operation, state, profile, proposedBy, createdAtMs, expiresAtMs, updatedAtMs } = stored;
  return {
    id,
    operation,
    state,
    profile,
    proposedBy,
    createdAtMs,
    expiresAtMs,
    updatedAtMs,
    replacedBy: stored.replacedBy,
    ...stored.headline,
    outcome: outcomeView(stored.outcome),
    targetCount: stored.targets.length,
  };
}

/** The part of the words that a list keeps. */
export function headlineOf({ title, risk, warnings, group, detail }: ProposalWords): Headline {
  const severities = ['danger', 'warning', 'notice'] as const;
  const worst = severities.find((severity) => warnings.some((warning) => warning.severity === severity));
  return {
    title,
    perDay: risk.perDay,
    worstWarning: worst ?? null,
    groupKey: group?.key ?? null,
    groupTitle: group?.title ?? null,
    askedBy: detail.kind === 'batch' ? detail.askedBy : null,
  };
}

/** Why it ended, with what to do next. */
export function outcomeView(outcome: StoredProposal['outcome']): ProposalView['outcome'] {
  return outcome === null ? null : { ...outcome, next: catalogue[outcome.code].next };
}
