import type { Connections } from '#core/connections/index.ts';
import type { Gate, StatusRequest } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { CampaignsToPause, ProposalView } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertActive, inParts, lockedCampaigns, rowsWithStatus, withoutLocked } from './campaigns.ts';
import { waitingPauses, type WaitingPauses, withdrawAll } from './earlier-pauses.ts';
import type { RememberedPause } from './memory.ts';
import type { PreparedPause } from './words.ts';

interface PauseOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'get' | 'withdraw'>;
}

interface PauseRequest {
  set: CampaignsToPause;
  pauses: readonly RememberedPause[];
}

const nothing: PreparedPause = { id: null, isNew: false, campaigns: 0, locked: [] };

/** A write may begin between the look at the locks and the proposal: so often is it tried again without its campaign. */
const maxTries = 3;

/**
 * Prepares one pause of the running campaigns of the set, by REST alone. A campaign whose last change is not settled
 * is left out and listed: it must not keep the others running. A pause that is pending already is not prepared
 * again; if campaigns cannot be read, it is the one to show. Fails as the reads and the gate do.
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

async function pauseOnce(options: PauseOptions, { set, pauses }: PauseRequest): Promise<PreparedPause> {
  const { store, connections } = options;
  const { profile, member } = connections.current();
  const waiting = usable(options, profile.id, waitingPauses(options, pauses));
  const rows = await rowsOf(member, waiting);
  if (rows === null) return stillWaiting(waiting, []);
  const wanted = set.kind === 'running' ? rows : rows.filter(({ cid }) => set.cids.includes(cid));
  const { free, locked, skipped } = withoutLocked(store, profile.id, wanted);
  if (free.length === 0) return { ...nothing, locked };
  if (waiting !== null && free.every(({ cid }) => waiting.cids.has(cid))) {
    return stillWaiting(waiting, locked);
  }
  assertActive(connections, profile.id);
  const cids = free.map(({ cid }) => cid);
  const view = await propose(options, cids, skipped);
  if (view === null) return { ...nothing, locked };
  withdrawAll(options, waitingPauses(options, pauses)?.ids ?? []);
  return { id: view.id, isNew: true, campaigns: cids.length, locked };
}

/** A pause cannot be approved while one of its campaigns has a write under way. */
function usable(
  { store }: PauseOptions,
  profileId: string,
  waiting: WaitingPauses | null,
): WaitingPauses | null {
  return waiting === null || lockedCampaigns(store, profileId, [...waiting.cids]).length > 0 ? null : waiting;
}

/** The running campaigns; null if they cannot be read and an earlier pause can be shown instead. */
async function rowsOf(
  member: Parameters<typeof rowsWithStatus>[0],
  waiting: WaitingPauses | null,
): Promise<CampaignRow[] | null> {
  try {
    return [...(await rowsWithStatus(member, [1, 4])).values()];
  } catch (failure) {
    if (waiting !== null && failure instanceof AppError) return null;
    throw failure;
  }
}

function stillWaiting(waiting: WaitingPauses | null, locked: readonly number[]): PreparedPause {
  return { id: waiting?.ids[0] ?? null, isNew: false, campaigns: waiting?.cids.size ?? 0, locked };
}

/** One that stops by itself until the person approves keeps no other one running. Nothing is paused before that, so it never expires. */
function pauseOf(cids: readonly number[]): StatusRequest {
  return { cids, status: 3, meant: 'running', isUrgent: true, neverExpires: true };
}

async function propose(
  { gate }: PauseOptions,
  cids: readonly number[],
  skipped: readonly { what: string; because: string }[],
): Promise<ProposalView | null> {
  const parts = inParts(cids);
  try {
    if (skipped.length === 0 && parts.length === 1) return await gate.proposeStatus(pauseOf(cids));
    return await gate.proposeSeveral({
      equally: 'Emergency pause',
      updates: [],
      statuses: parts.map(pauseOf),
      skipped: skipped.map(({ what, because }) => ({ what, because: `${because} ${pausedLater}` })),
      isUrgent: true,
    });
  } catch (failure) {
    const isDone = failure instanceof AppError && failure.code === 'nothing_to_change';
    // All of them were paused in the meantime.
    if (isDone && parts.length === 1) return null;
    throw failure;
  }
}

const pausedLater = 'It keeps running until then; its pause will be proposed when that settles.';
