import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { sumPairs } from '#shared/campaign/index.ts';
import type { ProposalWords } from '../operations/operation.ts';
import { isUndecided } from '../lifecycle/state-table.ts';

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
