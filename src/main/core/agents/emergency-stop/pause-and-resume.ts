import { joinSentences, sentence, type Sentence } from '#shared/lib/sentence.ts';
import type { Connections } from '#core/connections/index.ts';
import { askedStatusMoves, type Gate, inParts, type StatusRequest } from '#core/proposals/index.ts';
import { type MemberClient, readConsistentRows } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { CampaignsToPause, ProposalView } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { type CampaignRow, listLimits, type StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { EarlierPauses, PausedCampaign, RememberedPause, WaitingPauses } from './earlier-pauses.ts';

export interface ReadProgress {
  total: number;
  read: number;
}

interface PauseServices {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'withdraw'>;
  earlier: EarlierPauses;
}

interface PauseRequest {
  set: CampaignsToPause;
  newest: RememberedPause | null;
  withheld: readonly number[];
  onProgress?(progress: ReadProgress): void;
}

export interface PreparedPause {
  id: string | null;
  isNew: boolean;
  campaigns: number;
  /** Campaigns that run, or may start, and are skipped because a change is in progress. */
  locked: readonly number[];
}

interface StartingCampaign {
  cid: number;
  /** Untrusted text; null if the write does not contain the name. */
  name: string | null;
}

interface Skipped {
  what: Sentence;
  because: Sentence;
}

const maxTries = 3;

/**
 * Skips and lists campaigns with an unsettled change. Reuses a waiting pause if it
 * covers all campaigns, or if the reads fail. Fails as the reads and the gate do.
 */
export async function pauseRunning(services: PauseServices, request: PauseRequest): Promise<PreparedPause> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pauseOnce(services, request);
    } catch (failure) {
      const isLocked = failure instanceof AppError && failure.code === 'campaign_locked';
      if (!isLocked || tries === maxTries) throw failure;
    }
  }
}

async function pauseOnce(
  { store, connections, gate, earlier }: PauseServices,
  { set, newest, withheld, onProgress }: PauseRequest,
): Promise<PreparedPause> {
  const { profile, member } = connections.current();
  const findWaiting = (): WaitingPauses | null => (newest === null ? null : earlier.waiting(newest));
  const waiting = findWaiting();
  const stillWaiting = (locked: readonly number[]): PreparedPause => ({
    id: waiting?.ids[0] ?? null,
    isNew: false,
    campaigns: waiting?.cids.size ?? 0,
    locked,
  });
  const starting = startingCampaigns(store, profile.id);
  const rows = await readRunning(member, onProgress, waiting);
  if (rows === null) return stillWaiting(withheld);
  const started = [...starting, ...startingCampaigns(store, profile.id)];
  const isWanted = ({ cid }: { cid: number }): boolean => set.kind === 'running' || set.cids.includes(cid);
  const { free, locked, skipped } = split(store, profile.id, rows.filter(isWanted), started.filter(isWanted));
  const isCovered = (cid: number): boolean => waiting?.cids.has(cid) ?? false;
  const cids = free.map(({ cid }) => cid);
  if ([...cids, ...locked].some(isCovered) && cids.every(isCovered)) {
    return stillWaiting(locked.filter((cid) => !isCovered(cid)));
  }
  if (free.length > 0) assertActive(connections, profile.id);
  const view = free.length === 0 ? null : await proposePause(gate, free, skipped);
  if (view === null) return { id: null, isNew: false, campaigns: 0, locked };
  earlier.withdrawAll(gate, findWaiting()?.ids ?? []);
  return { id: view.id, isNew: true, campaigns: free.length, locked };
}

async function readRunning(
  client: Pick<MemberClient, 'list'>,
  onProgress: PauseRequest['onProgress'],
  waiting: WaitingPauses | null,
): Promise<CampaignRow[] | null> {
  try {
    return [...(await rowsWithStatus(client, [1, 4], onProgress)).values()];
  } catch (failure) {
    if (waiting !== null && failure instanceof AppError) return null;
    throw failure;
  }
}

async function rowsWithStatus(
  client: Pick<MemberClient, 'list'>,
  statuses: readonly StatusCode[],
  onProgress?: (progress: ReadProgress) => void,
): Promise<ReadonlyMap<number, CampaignRow>> {
  const found = new Map<number, CampaignRow>();
  const total = onProgress === undefined ? 0 : await countWithStatus(client, statuses);
  onProgress?.({ total, read: 0 });
  for (const status of statuses) {
    const before = found.size;
    const onPage = (count: number): void => onProgress?.({ total, read: Math.min(total, before + count) });
    for (const row of (await readConsistentRows(client, { status, onPage })).rows) found.set(row.cid, row);
  }
  return found;
}

async function countWithStatus(
  client: Pick<MemberClient, 'list'>,
  statuses: readonly StatusCode[],
): Promise<number> {
  const first = { page: listLimits.firstPage, perPage: listLimits.minPerPage };
  const lists = await Promise.all(statuses.map((status) => client.list({ ...first, status })));
  return lists.reduce((sum, { total }) => sum + total, 0);
}

/** Campaigns that an approved, unsettled write may start, even if the effect of a call is unknown. */
function startingCampaigns({ proposals }: AppStore, profileId: string): StartingCampaign[] {
  return proposals.underWay(profileId).flatMap(({ id }) => {
    const write = proposals.find(id);
    const moves = write === null ? [] : askedStatusMoves(write);
    return moves.filter(({ after }) => after === null || runs(after)).map(({ cid, name }) => ({ cid, name }));
  });
}

function split(
  store: AppStore,
  profileId: string,
  running: readonly CampaignRow[],
  started: readonly StartingCampaign[],
): { free: CampaignRow[]; locked: number[]; skipped: Skipped[] } {
  const { free, locked } = withoutLocked(store, profileId, running);
  const known = new Set(running.map(({ cid }) => cid));
  const starting = new Map(started.filter(({ cid }) => !known.has(cid)).map((one) => [one.cid, one]));
  return {
    free,
    locked: [...locked.map(({ cid }) => cid), ...starting.keys()],
    skipped: [
      ...locked.map((one) =>
        skip(
          one,
          joinSentences([
            one.because,
            sentence`It keeps running until then; its pause will be proposed when that settles.`,
          ]),
        ),
      ),
      ...[...starting.values()].map((one) =>
        skip(
          one,
          sentence`A change that may start it is not settled. If it runs afterwards, its pause will be proposed.`,
        ),
      ),
    ],
  };
}

function withoutLocked<T extends { cid: number; name: string }>(
  { proposals }: AppStore,
  profileId: string,
  campaigns: readonly T[],
): { free: T[]; locked: (StartingCampaign & { because: Sentence })[] } {
  const locks = proposals.locksOf(
    profileId,
    campaigns.map(({ cid }) => cid),
  );
  const because = (cid: number): Sentence => {
    const lock = proposals.find(locks.get(cid) ?? '');
    return lock === null || lock.state === 'unknown'
      ? sentence`An earlier change to it has an unknown outcome.`
      : sentence`An earlier change to it is being sent.`;
  };
  return {
    free: campaigns.filter(({ cid }) => !locks.has(cid)),
    locked: campaigns
      .filter(({ cid }) => locks.has(cid))
      .map(({ cid, name }) => ({ cid, name, because: because(cid) })),
  };
}

export function skip({ name, cid }: StartingCampaign, because: Sentence): Skipped {
  return { what: name === null ? sentence`Campaign ${cid}` : sentence`${name} (${cid})`, because };
}

function assertActive(connections: Pick<Connections, 'current'>, profileId: string): void {
  if (connections.current().profile.id !== profileId) throw new AppError('profile_changed');
}

/**
 * Targets running campaigns only, so that a campaign that stops meanwhile does not make the pause fail. The request never
 * expires, because nothing is paused before the approval.
 */
function pauseOf(rows: readonly CampaignRow[]): StatusRequest {
  const cids = rows.map(({ cid }) => cid);
  return { cids, status: 3, targeted: 'running', isUrgent: true, neverExpires: true };
}

/** Reads up to 1,000 campaigns in full. More are counted from their list rows, since reading them would take minutes. */
async function proposePause(
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral'>,
  rows: readonly CampaignRow[],
  skipped: Skipped[],
): Promise<ProposalView | null> {
  const parts = inParts(rows);
  const fromList = (part: CampaignRow[]): StatusRequest => ({
    ...pauseOf(part),
    rows: part,
    countedFrom: 'list',
  });
  try {
    if (skipped.length === 0 && parts.length === 1) return await gate.proposeStatus(pauseOf(rows));
    return await gate.proposeSeveral({
      equally: sentence`Emergency pause`,
      updates: [],
      statuses: parts.map(parts.length > 1 ? fromList : pauseOf),
      asOne: { kind: 'status' },
      skipped,
      isUrgent: true,
    });
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'nothing_to_change') return null;
    throw failure;
  }
}

/**
 * Returns campaigns that are still as the last pause left them, and lists
 * the others. Fails with `nothing_paused`, or as the reads and the gate do.
 */
export async function returnStatuses(
  { store, connections, gate, earlier }: PauseServices,
  onProgress: (progress: ReadProgress) => void,
): Promise<string> {
  const { profile, member } = connections.current();
  const done = earlier.latestResumable(profile.id);
  if (done === null) throw new AppError('nothing_paused');
  const { remembered, campaigns } = done;
  const waiting = earlier.waitingOf(remembered.returns.at(-1)?.id ?? '');
  if (waiting !== null) return waiting.id;

  const paused = await rowsWithStatus(member, [3], onProgress);
  const gone = campaigns.filter(({ cid }) => !paused.has(cid));
  const still = campaigns.filter(({ cid }) => paused.has(cid));
  const { free: settled, locked } = withoutLocked(store, profile.id, still);
  const followed = new Set(settled.filter((one) => wasChangedSince(store, profile.id, one)));
  const free = settled.filter((one) => !followed.has(one));
  if (free.length === 0 && locked.length > 0) {
    throw new AppError('campaign_locked', {
      message: 'Each of these campaigns has an earlier change that is not settled.',
    });
  }
  if (free.length === 0) {
    store.transaction(() => earlier.forget(profile.id, remembered.pause));
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
      ...locked.map((one) => skip(one, joinSentences([one.because, sentence`Resume it afterwards.`]))),
      ...gone.map((one) => skip(one, sentence`It is not Paused any more.`)),
      ...[...followed].map((one) =>
        skip(one, sentence`Another change of its status through this app followed.`),
      ),
    ],
    isUrgent: true,
  });
  const leaves = [...gone, ...followed].map(({ cid }) => cid);
  store.transaction(() => earlier.addReturn(profile.id, remembered.pause, { id, leaves }));
  return id;
}

/** True if another write may have changed the status since: a person may have paused the campaign on purpose. */
function wasChangedSince(
  { statusChanges }: AppStore,
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
