import { earliestIdAt } from '#core/platform/ids.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { everyRow, type ScheduleView } from '#shared/app-api/index.ts';

/** Finds the proposer of a task, from the ledger alone. */
export interface Attribution {
  /** The executed proposal whose commit made the task, with its proposer; `unknown` if the ledger has none. */
  creatorOf(profileId: string, task: { id: string; createdAtMs: number | null }): ScheduleView['createdBy'];
}

/** Longest time between a proposal and its commit, and largest error of the service's clock, in milliseconds. */
const windowMs = 20 * 60_000;

const unknown = { kind: 'unknown' } as const;

export function createAttribution(store: AppStore): Attribution {
  /** Known creators: the creator of a task never changes. */
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

/** True if the first row of the proposal, which is never pruned, names the task that its commit makes. */
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
