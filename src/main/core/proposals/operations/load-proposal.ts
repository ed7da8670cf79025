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

/** The members of a batch as they are stored now, in the order of its list. Fails with `proposal_not_found`. */
export function loadMembers(store: AppStore, members: readonly { id: string }[]): StoredProposal[] {
  return members.map(({ id }) => loadProposal(store, id));
}

/**
 * The proposal, the one that took its place, and so on to the last. Ends also where stored links lead in a circle: fails with
 * `rows_contradict` then.
 */
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

/** The id of the proposal that took the place of this one, through every successor; its own where none did. */
export function latestId(store: ListedStore, id: string): string {
  let latest = id;
  for (const { id: own, replacedBy } of successorsOf(store, id)) latest = replacedBy ?? own;
  return latest;
}

/** The mark of an undo that a successor keeps; a member that is asked again alone takes it from its batch. */
export function undoesOf({ proposals }: AppStore, { id, undoes }: StoredProposal): StoredProposal['undoes'] {
  const batchId = undoes === null ? proposals.undoBatchOf(id) : null;
  return batchId === null ? undoes : (proposals.find(batchId)?.undoes ?? null);
}
