import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';

interface ListedStore {
  proposals: Pick<AppStore['proposals'], 'findListed'>;
}

export function loadProposal(store: AppStore, id: string): StoredProposal {
  const proposal = store.proposals.find(id);
  if (proposal === null) throw new AppError('proposal_not_found');
  return proposal;
}

export function loadMembers(store: AppStore, members: readonly { id: string }[]): StoredProposal[] {
  return members.map(({ id }) => loadProposal(store, id));
}

/** The proposal, its successor, and so on. Fails with `rows_contradict` if stored links form a circle. */
export function* successorsOf({ proposals }: ListedStore, id: string): Generator<ListedProposal> {
  const met = new Set<string>();
  for (let next: string | null = id; next !== null;) {
    if (met.has(next)) throw new AppError('rows_contradict', { data: { proposal: next } });
    met.add(next);
    const found: ListedProposal | null = proposals.findListed(next);
    if (found === null) return;
    yield found;
    next = found.replacedBy;
  }
}

/** The id of the last successor, or its own. */
export function latestId(store: ListedStore, id: string): string {
  let latest = id;
  for (const { id: own, replacedBy } of successorsOf(store, id)) latest = replacedBy ?? own;
  return latest;
}

/** The mark of an undo. A member that is proposed again alone takes it from its batch. */
export function undoesOf({ proposals }: AppStore, { id, undoes }: StoredProposal): StoredProposal['undoes'] {
  const batchId = undoes === null ? proposals.undoBatchOf(id) : null;
  return batchId === null ? undoes : (proposals.find(batchId)?.undoes ?? null);
}
