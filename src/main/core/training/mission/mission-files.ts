import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  type MissionRecord,
  openMissionRecord,
  type RecordSeal,
  type StoredAttempt,
  type StoredWorkspace,
} from '#core/store/training/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { MissionId } from '#shared/training/index.ts';
import type { WorkspaceCore } from '../workspace-core.ts';
import { missionAgentName } from './agent.ts';
import { debrief } from './debriefing.ts';
import { createStepTracker, type StepTracker } from './step-tracker.ts';

/** Makes the seal of the record of a workspace, from its data key. */
export type SealOf = (workspace: Pick<StoredWorkspace, 'id' | 'dataKey'>) => RecordSeal;

/** Where the record of a mission lies, and what reads it. */
export interface MissionFiles {
  stored: StoredWorkspace;
  folder: string;
  sealOf: SealOf;
  clock: Clock;
  logger: Logger;
}

/** Opens the record, sealed for this workspace. Fails as {@link openMissionRecord}. The caller disposes. */
export function openRecordOf({ stored, folder, sealOf, clock, logger }: MissionFiles): MissionRecord {
  return openMissionRecord({ folder, seal: sealOf(stored), clock, logger });
}

/** Rows of the ledger by which a write is known to be stored. */
const stores: readonly string[] = ['write.verified', 'write.differs', 'write.done'];

const hasAny = (kinds: ReadonlySet<string>, some: readonly string[]): boolean =>
  some.some((kind) => kinds.has(kind));

/**
 * Compares the record with the ledger of the workspace, which has to verify: each step's end needs the rows that lead to it, and each
 * decision on a proposal of the agent its step. Fails with `mission_edited`, and `data.because` for the log.
 */
export async function checkRecord(core: WorkspaceCore, tracker: Pick<StepTracker, 'all'>): Promise<void> {
  await checkLedger(core);
  const rows = await rowsByProposal(core);
  const known = new Set<string>();
  for (const { proposalId, end } of tracker.all()) {
    if (proposalId === null) continue;
    known.add(proposalId);
    const kinds = rows.get(proposalId) ?? new Set<string>();
    if (!kinds.has('proposal.proposed')) throw edited('a proposal without a row');
    if (end === 'let-through' && !kinds.has('proposal.approved')) throw edited('a write without a row');
    if (end !== 'stopped') continue;
    const { state } = await core.handlers['proposals.get']({ id: proposalId });
    if (!kinds.has(`proposal.${state}`) || hasAny(kinds, stores)) throw edited('a denial without a row');
  }
  for (const [id, kinds] of rows) {
    const isDecided = kinds.has('proposal.denied') || hasAny(kinds, stores);
    if (!isDecided || known.has(id)) continue;
    const { proposedBy, operation } = await core.handlers['proposals.get']({ id });
    const isOfMission = proposedBy.kind === 'agent' && proposedBy.name === missionAgentName;
    if (isOfMission && operation !== 'agent.admit') throw edited('a decision without a step');
  }
}

/** Fails with `mission_edited` where the ledger of the workspace does not verify. */
export async function checkLedger({ handlers }: WorkspaceCore): Promise<void> {
  // Rows that were added meanwhile are of this process.
  const { problem } = await handlers['ledger.verify']({});
  if (problem !== null) throw edited('a ledger that does not verify');
}

function edited(because: string): AppError {
  return new AppError('mission_edited', { data: { because } });
}

/** Rows that are read at once. */
const page = 200;

/** The kinds of rows of each proposal. */
async function rowsByProposal({ handlers }: WorkspaceCore): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const filter = { proposalId: null, profileId: null, agentId: null, about: null, cid: null };
  for (let beforeSeq: number | null = null; ;) {
    const asked = { beforeSeq, limit: page, filter: { ...filter, fromMs: null, untilMs: null } };
    const { items } = await handlers['ledger.list'](asked);
    for (const { proposalId, kind } of items) {
      if (proposalId !== null) found.set(proposalId, (found.get(proposalId) ?? new Set()).add(kind));
    }
    const last = items.at(-1);
    if (items.length < page || last === undefined) return found;
    beforeSeq = last.seq;
  }
}

/**
 * The attempt of a mission that is removed before it is over: what was open is undecided, and where its files were edited all of it.
 * Null for one that had not begun.
 */
export function unfinishedAttempt(
  files: MissionFiles,
  { id, endedAtMs, isThere }: { id: string; endedAtMs: number; isThere: boolean },
): StoredAttempt | null {
  const { began, mission } = files.stored;
  if (began === null || mission === null) return null;
  const record = isThere ? readableRecord(files) : null;
  try {
    const found = record?.mission() ?? null;
    if (record === null || found === null) return unknownAttempt(mission, { id, endedAtMs, began });
    const tracker = createStepTracker({ steps: found.plan.steps, record, onChange() {} });
    return debrief(found, tracker, { id, endedAtMs, incomplete: 'discarded' });
  } finally {
    void record?.dispose();
  }
}

/** Null where it cannot be read, for whatever reason: it is removed. */
function readableRecord(files: MissionFiles): MissionRecord | null {
  try {
    return openRecordOf(files);
  } catch (failure) {
    files.logger.warn({ failure }, 'The record of a mission could not be read');
    return null;
  }
}

function unknownAttempt(
  mission: MissionId,
  {
    id,
    endedAtMs,
    began,
  }: { id: string; endedAtMs: number; began: { name: string; seed: number; atMs: number } },
): StoredAttempt {
  const { name, seed, atMs } = began;
  const score = { points: 0, caught: 0, missed: 0, falseAlarms: 0, fine: 0, undecided: 0, medianMs: null };
  const attempt = { id, name, mission, seed, beganAtMs: atMs, endedAtMs, score, faults: [] };
  return { attempt: { ...attempt, incomplete: 'edited' }, items: [] };
}
