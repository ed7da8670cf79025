import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { loadProposal, type Proposer } from '../lifecycle/journal.ts';
import type { Draft } from '../operations/operation.ts';
import { isUndecided } from '../lifecycle/state-table.ts';
import { draftBatch } from './payload.ts';

/**
 * The draft of one batch of waiting proposals, in this order. Fails with `batch_unequal`, saying what is wrong, or with
 * `proposal_not_found`.
 */
export function draftTogether(
  store: AppStore,
  ids: readonly string[],
): { draft: Draft; profile: Proposer['profile'] } {
  if (new Set(ids).size !== ids.length) unequal('One of them is named twice.');
  const members = ids.map((id) => loadProposal(store, id));
  const [first] = members;
  if (first === undefined || members.length < 2) return unequal('A batch needs two changes at least.');
  for (const member of members) assertFits(store, member, first);
  const { profile, headline } = first;
  const equally = headline.groupTitle ?? headline.title;
  return { draft: draftBatch({ equally, members, skipped: [] }), profile };
}

function assertFits(store: AppStore, member: StoredProposal, first: StoredProposal): void {
  const { id, operation, state, profile, headline } = member;
  const named = `“${headline.title}”`;
  if (!isUndecided(state)) unequal(`${named} no longer waits.`);
  if (store.proposals.openBatchOf(id) !== null) unequal(`${named} is listed in another batch that waits.`);
  if (operation === 'batch' || headline.groupKey === null) unequal(`${named} is decided alone.`);
  const isSameProfile = profile.id === first.profile.id && profile.account === first.profile.account;
  if (!isSameProfile) unequal(`${named} is for another profile.`);
  if (headline.groupKey !== first.headline.groupKey)
    unequal(`${named} makes another change than the first one.`);
}

function unequal(message: string): never {
  throw new AppError('batch_unequal', { message });
}
