import type { Connections } from '#core/connections/index.ts';
import { type Gate, inParts, type StatusRequest } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { CampaignsToPause, ProposalView } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  assertActive,
  leftOut,
  type ReadProgress,
  rowsWithStatus,
  type StartingCampaign,
  startingCampaigns,
  withoutLocked,
} from './campaigns.ts';
import { waitingPauses, type WaitingPauses, withdrawAll } from './earlier-pauses.ts';
import type { RememberedPause } from './memory.ts';
import type { PreparedPause } from './words.ts';
import { joinSentences, sentence, type Sentence } from '#shared/lib/sentence.ts';

interface PauseOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'withdraw'>;
  /** Called with how many of the running campaigns have been read. */
  onProgress?(progress: ReadProgress): void;
}

interface PauseRequest {
  set: CampaignsToPause;
  pauses: readonly RememberedPause[];
  /** Campaigns that the stop before left out: they stay so where nothing can be read. */
  leftOut: readonly number[];
}

const nothing: PreparedPause = { id: null, isNew: false, campaigns: 0, locked: [] };

/** Writes may begin between the look at the locks and the proposal: so often is it tried again if they lock every campaign. */
const maxTries = 3;

/**
 * Prepares one pause of the running campaigns of the set, by REST alone. A campaign whose last change is not settled
 * is left out and listed, since it must not keep the others running; so is one that a change may make run. A pause that is pending
 * already is not prepared again; if campaigns cannot be read, it is the one to show. Fails as the reads and the gate do.
 */
export async function pauseRunning(options: PauseOptions, request: PauseRequest): Promise<PreparedPause> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pauseOnce(options, request);
    } catch (failure) {
      const isLocked = failure instanceof AppError && failure.code === 'campaign_locked';
      if (!isLocked || tries === maxTries) throw failure;
    }
  }
}

async function pauseOnce(options: PauseOptions, request: PauseRequest): Promise<PreparedPause> {
  const { set, pauses } = request;
  const { store, connections } = options;
  const { profile, member } = connections.current();
  const waiting = waitingPauses(options, pauses);
  const starting = startingCampaigns(store, profile.id);
  const rows = await rowsOf(() => rowsWithStatus(member, [1, 4], options.onProgress), waiting);
  if (rows === null) return stillWaiting(waiting, request.leftOut);
  // One that has started meanwhile may have been read before that.
  const started = [...starting, ...startingCampaigns(store, profile.id)];
  const isWanted = ({ cid }: { cid: number }): boolean => set.kind === 'running' || set.cids.includes(cid);
  const found = { running: rows.filter(isWanted), started: started.filter(isWanted) };
  const { free, locked, skipped } = split(store, profile.id, found);
  const isCovered = (cid: number): boolean => waiting?.cids.has(cid) ?? false;
  const cids = free.map(({ cid }) => cid);
  if ([...cids, ...locked].some(isCovered) && cids.every(isCovered)) {
    return stillWaiting(
      waiting,
      locked.filter((cid) => !isCovered(cid)),
    );
  }
  if (free.length === 0) return { ...nothing, locked };
  assertActive(connections, profile.id);
  const view = await propose(options, free, skipped);
  if (view === null) return { ...nothing, locked };
  withdrawAll(options, waitingPauses(options, pauses)?.ids ?? []);
  return { id: view.id, isNew: true, campaigns: free.length, locked };
}

interface Split {
  free: readonly CampaignRow[];
  /** Campaigns with a change under way. */
  locked: number[];
  /** The same in words. */
  skipped: Skipped[];
}

interface Skipped {
  what: Sentence;
  because: Sentence;
}

/** Parts the campaigns that run, and those that a write may make run, by whether they can be paused now. */
function split(
  store: AppStore,
  profileId: string,
  { running, started }: { running: readonly CampaignRow[]; started: readonly StartingCampaign[] },
): Split {
  const { free, locked, skipped } = withoutLocked(store, profileId, running);
  const known = new Set(running.map(({ cid }) => cid));
  const starting = new Map(started.flatMap((one) => (known.has(one.cid) ? [] : [[one.cid, one] as const])));
  return {
    free,
    locked: [...locked, ...starting.keys()],
    skipped: [
      ...skipped.map(({ what, because }) => ({ what, because: joinSentences([because, keepsRunning]) })),
      ...[...starting.values()].map((one) => leftOut(one, mayRun)),
    ],
  };
}

const keepsRunning = sentence`It keeps running until then; its pause will be proposed when that settles.`;
const mayRun = sentence`A change that may start it is not settled. If it runs afterwards, its pause will be proposed.`;

/** The running campaigns; null if they cannot be read and an earlier pause can be shown instead. */
async function rowsOf(
  read: () => ReturnType<typeof rowsWithStatus>,
  waiting: WaitingPauses | null,
): Promise<CampaignRow[] | null> {
  try {
    return [...(await read()).values()];
  } catch (failure) {
    if (waiting !== null && failure instanceof AppError) return null;
    throw failure;
  }
}

function stillWaiting(waiting: WaitingPauses | null, locked: readonly number[]): PreparedPause {
  return { id: waiting?.ids[0] ?? null, isNew: false, campaigns: waiting?.cids.size ?? 0, locked };
}

/** One that stops by itself until the person approves keeps no other one running. Nothing is paused before that, so it never expires. */
function pauseOf(rows: readonly CampaignRow[]): StatusRequest {
  const cids = rows.map(({ cid }) => cid);
  return { cids, status: 3, meant: 'running', isUrgent: true, neverExpires: true };
}

const fromList = (rows: readonly CampaignRow[]): Pick<StatusRequest, 'rows' | 'countedFrom'> => ({
  rows,
  countedFrom: 'list',
});

/** Up to 1,000 campaigns are read one by one for exact figures. More than that uses their list rows: reading them all would take minutes. */
async function propose(
  { gate }: PauseOptions,
  rows: readonly CampaignRow[],
  skipped: readonly Skipped[],
): Promise<ProposalView | null> {
  const parts = inParts(rows);
  try {
    if (skipped.length === 0 && parts.length === 1) return await gate.proposeStatus(pauseOf(rows));
    return await gate.proposeSeveral({
      equally: sentence`Emergency pause`,
      updates: [],
      statuses: parts.map((part) => ({ ...pauseOf(part), ...(parts.length > 1 && fromList(part)) })),
      asOne: { kind: 'status' },
      skipped: [...skipped],
      isUrgent: true,
    });
  } catch (failure) {
    // All of them were paused in the meantime.
    if (failure instanceof AppError && failure.code === 'nothing_to_change') return null;
    throw failure;
  }
}
