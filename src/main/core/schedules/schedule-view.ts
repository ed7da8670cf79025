import type { Clock } from '#core/platform/clock.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { StoredProposal, AppStore } from '#core/store/app/index.ts';
import { type DueStage, type ScheduleView, everyRow } from '#shared/app-api/index.ts';
import { runsAhead } from '#shared/campaign/index.ts';
import { exportFormats, type ScheduledTask, taskScheduleSchema } from '#shared/contract/index.ts';
import { catalogue } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { taskInWords } from '#shared/wording/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { earliestIdAt } from '#core/platform/ids.ts';

export interface ScheduleViewing {
  gate: Pick<Gate, 'proposalsOfTask' | 'proposalOfApproval'>;
  attribution: Attribution;
  proposalOf(id: string): StoredProposal | null;
  serviceClock: Pick<Clock, 'nowMs'>;
}

/** A change is not proposed if the service's approval ends sooner than this, because a decision would come too late. */
const marginMs = 30_000;

const states: readonly ScheduleView['state'][] = ['active', 'due', 'suspended', 'cancelled', 'ended'];

/** Text from the service is escaped for display. A time that cannot be parsed is null. */
export function scheduleView(
  viewing: ScheduleViewing,
  profileId: string,
  task: ScheduledTask,
  formats: Formats,
): ScheduleView {
  const { gate, attribution, proposalOf } = viewing;
  const { id, name } = task;
  const createdAtMs = momentOf(task.createdAt);
  const createdBy = attribution.creatorOf(profileId, { id, createdAtMs });
  const ours = gate.proposalsOfTask(profileId, id);
  const isListed = createdBy.kind === 'unknown' || ours.some((one) => one.id === createdBy.proposalId);
  const creation = isListed ? null : proposalOf(createdBy.proposalId);
  const proposals = creation === null ? ours : [...ours, creation];
  return {
    id,
    name: name === null || name === undefined ? null : inertText(name),
    ...taskInWords(task, formats),
    state: states.find((state) => state === task.state) ?? 'unknown',
    stateWord: inertText(task.state),
    reason: reasonOf(task.reason),
    createdAtMs,
    nextDueAtMs: momentOf(task.nextDueAt),
    runsAheadMs: runsOf(task, viewing.serviceClock.nowMs()),
    lastRun: runOf(task),
    due: dueOf(viewing, profileId, task),
    createdBy,
    history: proposals.map(({ id: proposalId, headline: { title }, state, updatedAtMs }) => ({
      proposalId,
      title,
      state,
      updatedAtMs,
    })),
  };
}

export function dueOf(
  { gate, serviceClock }: ScheduleViewing,
  profileId: string,
  { approval, state }: ScheduledTask,
): ScheduleView['due'] {
  const endsAtMs = momentOf(approval?.expiresAt);
  // The service shows an approval only to the sign-in that received it.
  if (approval === null || approval === undefined || endsAtMs === null)
    return state === 'due' ? { stage: 'elsewhere', endsAtMs: null, proposalId: null } : null;
  const proposal = gate.proposalOfApproval(profileId, approval.id);
  const isLate = endsAtMs - marginMs <= serviceClock.nowMs();
  const stage = proposal === null ? (isLate ? 'too-late' : 'unproposed') : stageOf(proposal.state);
  return { stage, endsAtMs, proposalId: proposal?.id ?? null };
}

function stageOf(state: StoredProposal['state']): DueStage {
  if (isUndecided(state)) return 'waiting';
  if (state === 'denied') return 'denied';
  return state === 'expired' ? 'too-late' : 'decided';
}

function runOf(task: ScheduledTask): ScheduleView['lastRun'] {
  const { lastRun: run } = task;
  if (run === null || run === undefined) return null;
  const [dueAtMs, ranAtMs] = [momentOf(run.dueAt), momentOf(run.ranAt)];
  if (dueAtMs === null || ranAtMs === null) return null;
  const { outcome, missed, rows = null, bytes = null } = run;
  const fileName = run.uri === undefined ? null : fileNameOf(task, dueAtMs);
  return {
    dueAtMs,
    ranAtMs,
    outcome: inertText(outcome),
    missed,
    reason: reasonOf(run.reason),
    rows,
    bytes,
    fileName,
  };
}

/** Example: `morning-report-2026-11-23.csv`, with the due day in UTC. */
function fileNameOf({ name, parameters }: ScheduledTask, dueAtMs: number): string {
  const words = (name ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? ['schedule'];
  const format = isJsonObject(parameters) ? parameters['format'] : null;
  const ending = exportFormats.find((known) => known === format) ?? 'txt';
  return `${words.join('-').slice(0, 60)}-${new Date(dueAtMs).toISOString().slice(0, 10)}.${ending}`;
}

/** A schedule that this app does not know has only one known run, the next. */
function runsOf({ state, schedule, nextDueAt }: ScheduledTask, nowMs: number): number[] {
  if (state !== 'active' && state !== 'due') return [];
  const known = taskScheduleSchema.safeParse(schedule);
  const next = { type: 'once', at: nextDueAt ?? '' } as const;
  return runsAhead(known.success ? known.data : next, nowMs);
}

function reasonOf(reason: string | undefined): string | null {
  if (reason === undefined) return null;
  const known = Object.entries(catalogue).find(([code]) => code === reason);
  return known === undefined ? inertText(reason) : known[1].text;
}

function momentOf(text: string | null | undefined): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}

interface Attribution {
  creatorOf(profileId: string, task: { id: string; createdAtMs: number | null }): ScheduleView['createdBy'];
}

/** Longest time between a proposal and the creation of its task, even if the service's clock deviates. */
const windowMs = 20 * 60_000;

const unknown = { kind: 'unknown' } as const;

export function createAttribution(store: AppStore): Attribution {
  const known = new Map<string, ScheduleView['createdBy']>();

  function find(profileId: string, id: string, createdAtMs: number): ScheduleView['createdBy'] {
    const range = {
      fromId: earliestIdAt(createdAtMs - windowMs),
      untilId: earliestIdAt(createdAtMs + windowMs),
    };
    for (const proposalId of store.proposals.callsDone({ profileId, ...range })) {
      if (!recordsCreation(store, proposalId, id)) continue;
      const proposedBy = store.proposals.findListed(proposalId)?.proposedBy;
      if (proposedBy === undefined) continue;
      const { kind, name } = proposedBy;
      return kind === 'agent' ? { kind, name, proposalId } : { kind: 'person', proposalId };
    }
    return unknown;
  }

  return {
    creatorOf(profileId, { id, createdAtMs }) {
      const key = `${profileId} ${id}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const found = createdAtMs === null ? unknown : find(profileId, id, createdAtMs);
      if (found.kind !== 'unknown') known.set(key, found);
      return found;
    },
  };
}

function recordsCreation({ ledger }: AppStore, proposalId: string, taskId: string): boolean {
  const { rows } = ledger.page({ beforeSeq: null, limit: 20, filter: { ...everyRow, proposalId } });
  return rows.some(({ kind, body }) => kind === 'proposal.proposed' && namesTask(body, taskId));
}

function namesTask(body: string, taskId: string): boolean {
  try {
    const { task } = JSON.parse(body) as { task?: { id?: unknown; act?: unknown } };
    return task?.id === taskId && task.act === 'create';
  } catch {
    return false;
  }
}
