import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isMeantForRunning } from './status-change/stored-parts.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** The proposal by its id. Fails with `proposal_not_found`. */
export function loadProposal(store: AppStore, id: string): StoredProposal {
  const proposal = store.proposals.find(id);
  if (proposal === null) throw new AppError('proposal_not_found');
  return proposal;
}

/**
 * The proposal, the one that took its place, and so on to the last. Ends also where stored links lead in a circle: fails with
 * `rows_contradict` then.
 */
export function* successorsOf(
  { proposals }: Pick<AppStore, 'proposals'>,
  id: string,
): Generator<ListedProposal> {
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
export function latestId(store: Pick<AppStore, 'proposals'>, id: string): string {
  let latest = id;
  for (const { id: own, replacedBy } of successorsOf(store, id)) latest = replacedBy ?? own;
  return latest;
}

/** The mark of an undo that a successor keeps; a member that is asked again alone takes it from its batch. */
export function undoesOf({ proposals }: AppStore, { id, undoes }: StoredProposal): StoredProposal['undoes'] {
  const batchId = undoes === null ? proposals.undoBatchOf(id) : null;
  return batchId === null ? undoes : (proposals.find(batchId)?.undoes ?? null);
}

type Targeted = Pick<StoredProposal, 'profile' | 'targets'>;

/**
 * Passes when no write to any of the campaigns is under way or has an unknown outcome. Fails with `campaign_locked`, naming
 * the campaign and the proposal that locks it.
 */
export function assertUnlocked(store: AppStore, { profile, targets }: Targeted): void {
  for (const cid of targets) {
    const proposal = store.proposals.lockOf(profile.id, cid);
    if (proposal === null) continue;
    const message = lockInWords(store, proposal, `campaign ${cid}`);
    throw new AppError('campaign_locked', { message, data: { cid, proposal } });
  }
}

/** A proposal, or the draft of one. */
type Change = Targeted & Pick<StoredProposal, 'operation' | 'payload' | 'base'>;

/**
 * True if other writes to its campaigns keep a change from being sent. One that is meant for what runs is sent without those
 * campaigns, as long as any other is left.
 */
export function isKeptBack({ proposals }: Pick<AppStore, 'proposals'>, change: Change): boolean {
  const { profile, targets } = change;
  const isLocked = (cid: number): boolean => proposals.lockOf(profile.id, cid) !== null;
  return targets.some(isLocked) && (targets.every(isLocked) || !isMeantForRunning(change));
}

/** Passes unless {@link isKeptBack}; fails as {@link assertUnlocked} otherwise. */
export function assertNotKeptBack(store: AppStore, change: Change): void {
  if (isKeptBack(store, change)) assertUnlocked(store, change);
}

/** The other write that locks a campaign of this proposal, in words; null if there is none. */
export function otherWriteTo(
  store: Pick<AppStore, 'proposals'>,
  { id, profile }: Pick<StoredProposal, 'id' | 'profile'>,
  cid: number,
): string | null {
  const lock = store.proposals.lockOf(profile.id, cid, id);
  return lock === null ? null : lockInWords(store, lock, 'it');
}

function lockInWords({ proposals }: Pick<AppStore, 'proposals'>, lock: string, campaign: string): Sentence {
  return proposals.findListed(lock)?.state === 'unknown'
    ? sentence`An earlier change to ${ownWords(campaign)} has an unknown outcome.`
    : sentence`Another change to ${ownWords(campaign)} is being sent.`;
}
