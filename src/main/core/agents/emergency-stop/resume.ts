import type { Connections } from '#core/connections/index.ts';
import { type Gate, inParts } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertActive, leftOut, type ReadProgress, rowsWithStatus, withoutLocked } from './campaigns.ts';
import { isWaiting, lastDone, latestOf, type PausedCampaign, type ReadEffects } from './earlier-pauses.ts';
import type { EmergencyStopMemory } from './memory.ts';
import { joinSentences, sentence } from '#shared/lib/sentence.ts';

interface ResumeOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeSeveral'>;
  effectsOf: ReadEffects;
  onProgress(progress: ReadProgress): void;
}

/**
 * Prepares the return of the statuses before the last emergency pause, for those campaigns that are as it left them; the
 * others are listed with the reason. One whose earlier change is not settled can be returned later. Resolves with the proposal. Fails with
 * `nothing_paused`, or as the reads and the gate do.
 */
export async function returnStatuses(options: ResumeOptions, memory: EmergencyStopMemory): Promise<string> {
  const { store, connections, gate } = options;
  const { profile, member } = connections.current();
  const done = lastDone(options, memory.pauses(profile.id));
  if (done === null) throw new AppError('nothing_paused');
  const { remembered, campaigns } = done;
  const last = latestOf(store, remembered.returns.at(-1)?.id ?? '');
  if (last !== null && isWaiting(options, last.id)) return last.id;

  const paused = await rowsWithStatus(member, [3], options.onProgress);
  const gone = campaigns.filter(({ cid }) => !paused.has(cid));
  const still = campaigns.filter(({ cid }) => paused.has(cid));
  const { free: settled, skipped: locked } = withoutLocked(store, profile.id, still);
  const followed = new Set(settled.filter((one) => wasChangedSince(store, profile.id, one)));
  const free = settled.filter((one) => !followed.has(one));
  if (free.length === 0 && locked.length > 0) {
    throw new AppError('campaign_locked', {
      message: 'Each of these campaigns has an earlier change that is not settled.',
    });
  }
  if (free.length === 0) {
    store.transaction(() => memory.forgetPause(profile.id, remembered));
    throw new AppError('nothing_paused', {
      message: 'Each campaign of the last emergency pause was changed since.',
    });
  }
  assertActive(connections, profile.id);
  const { id } = await gate.proposeSeveral({
    equally: sentence`Back to the status before the emergency pause`,
    updates: [],
    statuses: byEarlierStatus(free),
    asOne: { kind: 'return', pausedAtMs: done.atMs },
    skipped: [
      ...locked.map(({ what, because }) => ({
        what,
        because: joinSentences([because, sentence`Resume it afterwards.`]),
      })),
      ...gone.map((one) => leftOut(one, sentence`It is not Paused any more.`)),
      ...[...followed].map((one) =>
        leftOut(one, sentence`Another change of its status through this app followed.`),
      ),
    ],
    isUrgent: true,
  });
  const leaves = [...gone, ...followed].map(({ cid }) => cid);
  store.transaction(() => memory.addReturn(profile.id, remembered, { id, leaves }));
  return id;
}

/** True if another write changed its status after the pause, or may have. A person may have paused it again on purpose. */
function wasChangedSince(
  { statusChanges }: Pick<AppStore, 'statusChanges'>,
  profileId: string,
  { cid, proposalId }: PausedCampaign,
): boolean {
  const last = statusChanges.find(profileId, cid);
  return last?.proposalId !== proposalId || statusChanges.hasUnknownSince(profileId, cid, last.atMs);
}

function byEarlierStatus(
  campaigns: readonly PausedCampaign[],
): { cids: readonly number[]; status: StatusCode }[] {
  return ([1, 4] as const).flatMap((status) => {
    const cids = campaigns.filter(({ statusBefore }) => statusBefore === status).map(({ cid }) => cid);
    return inParts(cids).map((part) => ({ cids: part, status }));
  });
}
