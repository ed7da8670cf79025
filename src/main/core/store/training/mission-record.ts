import type { MissionPlan, StepEnd } from '#shared/training/index.ts';
import type { Database } from '../sqlite/database.ts';

export interface StoredMission {
  /** The name that trains. */
  name: string;
  plan: MissionPlan;
  madeAtMs: number;
  /** When the agent began; null before that. */
  beganAtMs: number | null;
  /** Time that is left of the limit, as of the latest entry; null without a limit, or before the first proposal. */
  leftMs: number | null;
}

/** Progress of a step so far. */
export interface StoredStep {
  id: string;
  /** Its latest proposal; null before it was proposed. */
  proposalId: string | null;
  /** The sentence of the confirmation; null before it was proposed. */
  title: string | null;
  shownAtMs: number | null;
  decidedAtMs: number | null;
  /** True once its incident has happened, or has been armed at the service. */
  hadIncident: boolean;
  /** Null while it may still end in another way. */
  end: StepEnd | null;
  reason: string | null;
}

/** The record of the mission in a workspace: its plan, and the proposals, showings and decisions of its steps. */
export interface MissionRecord {
  /** Null for a mission that was not prepared to its end, or whose row is damaged. */
  mission(): StoredMission | null;
  keepMission(mission: StoredMission): void;
  keepLeft(leftMs: number): void;
  /** A person took the agent's access away: no other agent comes in its place. */
  isRevoked(): boolean;
  keepRevoked(): void;
  steps(): StoredStep[];
  keepStep(step: StoredStep): void;
}

type Planned = Pick<StoredMission, 'name' | 'plan' | 'madeAtMs'>;

interface Progress extends Pick<StoredMission, 'beganAtMs' | 'leftMs'> {
  isRevoked: boolean;
  steps: StoredStep[];
}

interface MissionRow {
  planned: string;
  progress: string;
}

export function createMissionRecord(db: Database, workspaceId: string): MissionRecord {
  const select = db.prepare<[string], MissionRow>(
    'SELECT planned, progress FROM mission WHERE workspace = ?',
  );
  const insert = db.prepare<[MissionRow & { workspace: string }]>(
    'INSERT OR REPLACE INTO mission (workspace, planned, progress) VALUES (:workspace, :planned, :progress)',
  );
  const update = db.prepare<[string, string]>('UPDATE mission SET progress = ? WHERE workspace = ?');
  const stored = readRow(select.get(workspaceId));
  let planned = stored?.planned ?? null;
  let progress = stored?.progress ?? { beganAtMs: null, leftMs: null, isRevoked: false, steps: [] };

  function keep(changed: Partial<Progress>): void {
    progress = { ...progress, ...changed };
    update.run(JSON.stringify(progress), workspaceId);
  }

  return {
    mission() {
      const { beganAtMs, leftMs } = progress;
      return planned && { ...planned, beganAtMs, leftMs };
    },
    keepMission({ name, plan, madeAtMs, beganAtMs, leftMs }) {
      planned = { name, plan, madeAtMs };
      progress = { ...progress, beganAtMs, leftMs };
      const texts = { planned: JSON.stringify(planned), progress: JSON.stringify(progress) };
      insert.run({ workspace: workspaceId, ...texts });
    },
    keepLeft: (leftMs) => keep({ leftMs }),
    isRevoked: () => progress.isRevoked,
    keepRevoked: () => keep({ isRevoked: true }),
    steps: () => progress.steps,
    keepStep: (step) => keep({ steps: [...progress.steps.filter(({ id }) => id !== step.id), step] }),
  };
}

/** Rows are written by this module alone. */
function readRow(row: MissionRow | undefined): { planned: Planned; progress: Progress } | null {
  if (row === undefined) return null;
  try {
    return { planned: JSON.parse(row.planned) as Planned, progress: JSON.parse(row.progress) as Progress };
  } catch {
    return null;
  }
}
