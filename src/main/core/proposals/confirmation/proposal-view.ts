import type { AppStore, Headline, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalSummary, ProposalView } from '#shared/app-api/index.ts';
import { factsInWords, restated, sumPairs } from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { ListedGroup } from '../batch/groups.ts';
import type { ProposalWords } from '../operations/operation.ts';
import { toolCallParts } from '../operations/tool-call/base.ts';
import { outcomeView } from '../lifecycle/outcome.ts';

/** A proposal as a person sees it: the words that the core made of it, and what has become of it. */
export function proposalView(
  stored: StoredProposal,
  { comparable: _comparable, operand: _operand, effects: _effects, facts, ...words }: ProposalWords,
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
    facts: factsInWords(facts),
    queue,
    payload,
    fingerprint,
    ...(stored.headline.approvalEndsAtMs !== undefined && {
      approvalEndsAtMs: stored.headline.approvalEndsAtMs,
    }),
    ...(canPrepareAgain(stored) && { canPrepareAgain: true }),
    rebase,
    conflict,
    replacedBy,
    verdicts,
    outcome: outcomeView(stored.outcome),
    reason,
    prunedAtMs,
  };
}

/** True for a change that may be prepared again: now, or once the service's approval of it has ended. */
function canPrepareAgain(stored: StoredProposal): boolean {
  const { state, operation, replacedBy, prunedAtMs, headline } = stored;
  if (replacedBy !== null || prunedAtMs !== null) return false;
  const mayEnd = state === 'expired' || (isUndecided(state) && headline.approvalEndsAtMs !== undefined);
  if (!mayEnd) return false;
  if (operation === 'tool.call') return toolCallParts(stored).preparation !== null;
  return operation === 'campaign.update' || operation === 'campaign.status';
}

/** Status of a proposal for its agent. It contains no words: a flood of calls asks for a hundred at once. */
export type ProposalStatus = Pick<
  ProposalView,
  'id' | 'state' | 'rebase' | 'conflict' | 'verdicts' | 'outcome' | 'reason'
>;

/** Returns the status of a proposal for its agent. */
export function statusOf(stored: StoredProposal): ProposalStatus {
  const { id, state, rebase, conflict, verdicts, outcome, reason } = stored;
  return { id, state, rebase, conflict, verdicts, outcome: outcomeView(outcome), reason };
}

/** The short form for lists, without reading the payload. */
export function proposalSummary(stored: ListedProposal, group: ListedGroup): ProposalSummary {
  const { comparable: _c, operand: _o, warningCodes: _w, ...headline } = stored.headline;
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
    ...headline,
    perDay: restated(headline.perDay),
    ...group,
    outcome: outcomeView(stored.outcome),
    targetCount: stored.targets.length,
  };
}

/** The part of the words that a list keeps. */
export function headlineOf({
  title,
  risk,
  warnings,
  comparable,
  operand = null,
  detail,
}: ProposalWords): Omit<Headline, 'approvalEndsAtMs'> {
  const severities = ['danger', 'warning', 'notice'] as const;
  const worst = severities.find((severity) => warnings.some((warning) => warning.severity === severity));
  return {
    title,
    perDay: risk.perDay,
    worstWarning: worst ?? null,
    askedBy: detail.kind === 'batch' ? detail.askedBy : null,
    comparable,
    operand,
    warningCodes: [...new Set(warnings.map(({ code }) => code))],
  };
}

/**
 * Every change of the profile that waits for a decision, with the sum of its money; null where nothing waits besides this
 * proposal. A batch is its members, so nothing counts twice.
 */
export function queueOf(
  store: AppStore,
  { state, operation, profile }: StoredProposal,
  { detail }: ProposalWords,
): ProposalView['queue'] {
  if (!isUndecided(state) || operation === 'agent.admit') return null;
  const money = store.proposals.waitingMoney(profile.id);
  const own =
    detail.kind === 'batch' ? detail.members.filter((member) => isUndecided(member.state)).length : 1;
  if (money.length <= own) return null;
  const { pair, alwaysUnlimited } = sumPairs(money);
  return { count: money.length, perDay: pair, ...(alwaysUnlimited > 0 && { alwaysUnlimited }) };
}
