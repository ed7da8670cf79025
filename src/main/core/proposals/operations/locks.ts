import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { isMeantForRunning } from './status-change/stored-parts.ts';

type Targeted = Pick<StoredProposal, 'profile' | 'targets'>;

/** Fails with `campaign_locked`, naming campaign and proposal, if another write is in delivery or has an unknown outcome. */
export function assertUnlocked(store: AppStore, { profile, targets }: Targeted): void {
  const locks = store.proposals.locksOf(profile.id, targets);
  for (const cid of targets) {
    const proposal = locks.get(cid);
    if (proposal === undefined) continue;
    const message = lockInWords(store, proposal, `campaign ${cid}`);
    throw new AppError('campaign_locked', { message, data: { cid, proposal } });
  }
}

type Change = Targeted & Pick<StoredProposal, 'operation' | 'payload' | 'base'>;

/**
 * True if locked campaigns prevent the change. A change of running campaigns skips the locked ones, so it is prevented only if
 * all of its campaigns are locked.
 */
export function isWithheld({ proposals }: Pick<AppStore, 'proposals'>, change: Change): boolean {
  const { profile, targets } = change;
  const locks = proposals.locksOf(profile.id, targets);
  return locks.size > 0 && (targets.every((cid) => locks.has(cid)) || !isMeantForRunning(change));
}

/** Fails as {@link assertUnlocked} does if {@link isWithheld} is true. */
export function assertNotWithheld(store: AppStore, change: Change): void {
  if (isWithheld(store, change)) assertUnlocked(store, change);
}

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
