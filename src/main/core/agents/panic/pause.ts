import type { Connections } from '#core/connections/index.ts';
import type { Gate, StatusRequest } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { PanicSet, ProposalState, ProposalView } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RememberedPause } from './memory.ts';
import { rowsWithStatus } from './running.ts';
import { assertInFront, inParts, withoutLocked } from './writes.ts';

/** A pause that waits for its confirmation; `id` is null where nothing runs. */
export interface PreparedPause {
  id: string | null;
  /** False where the same pause waited already. */
  isNew: boolean;
  campaigns: number;
  skipped: number;
}

export interface PauseOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'get'>;
}

const undecided: ReadonlySet<ProposalState> = new Set(['proposed', 'shown']);
const nothing: PreparedPause = { id: null, isNew: false, campaigns: 0, skipped: 0 };

/**
 * Prepares one pause of what runs of the set, by REST alone. A campaign whose last change is not settled is left
 * out and listed: it must not keep the others running. Fails as the reads and the gate do.
 */
export async function pauseRunning(
  options: PauseOptions,
  { set, pauses }: { set: PanicSet; pauses: readonly RememberedPause[] },
): Promise<PreparedPause> {
  const { store, connections } = options;
  const { profile, member } = connections.current();
  const rows = [...(await rowsWithStatus(member, [1, 4])).values()];
  const wanted = set.kind === 'running' ? rows : rows.filter(({ cid }) => set.cids.includes(cid));
  const { free, skipped } = withoutLocked(store, profile.id, wanted);
  if (free.length === 0) return assertNoneLocked(wanted);
  const cids = free.map(({ cid }) => cid);
  const done = { campaigns: cids.length, skipped: skipped.length };
  const waiting = waitingPause(options, pauses, cids);
  if (waiting !== null) return { ...done, id: waiting, isNew: false };
  assertInFront(connections, profile.id);
  const view = await propose(options, cids, skipped);
  return view === null ? nothing : { ...done, id: view.id, isNew: true };
}

/** Nothing runs; or what runs is locked, and then silence would be a lie. */
function assertNoneLocked(locked: readonly CampaignRow[]): PreparedPause {
  if (locked.length === 0) return nothing;
  throw new AppError('campaign_locked', {
    message: `Every campaign that runs has an earlier change that is being sent or has an unknown outcome: ${locked.map(({ cid }) => cid).join(', ')}.`,
  });
}

/** The pause of exactly these campaigns that a person has not decided yet. */
function waitingPause(
  { gate }: PauseOptions,
  [newest]: readonly RememberedPause[],
  cids: readonly number[],
): string | null {
  if (newest === undefined) return null;
  const { state, targets } = gate.get(newest.pause);
  const known = new Set(targets.map(({ cid }) => cid));
  const isSame = known.size === cids.length && cids.every((cid) => known.has(cid));
  return undecided.has(state) && isSame ? newest.pause : null;
}

/** One that stops by itself until the person approves keeps no other one running. */
function pauseOf(cids: readonly number[]): StatusRequest {
  return { cids, status: 3, meant: 'running' };
}

async function propose(
  { gate }: PauseOptions,
  cids: readonly number[],
  skipped: readonly { what: string; because: string }[],
): Promise<ProposalView | null> {
  const parts = inParts(cids);
  try {
    if (skipped.length === 0 && parts.length === 1) return await gate.proposeStatus(pauseOf(cids));
    const statuses = parts.map(pauseOf);
    return await gate.proposeSeveral({
      equally: 'Emergency pause',
      updates: [],
      statuses,
      skipped: [...skipped],
    });
  } catch (failure) {
    const isDone = failure instanceof AppError && failure.code === 'nothing_to_change';
    // Somebody else was faster.
    if (isDone && parts.length === 1) return null;
    throw failure;
  }
}
