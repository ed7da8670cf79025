import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { MissionPlan, StepEnd } from '#shared/training/index.ts';
import {
  type Database,
  guardParts,
  type Migration,
  openDatabase,
  withStorageErrors,
} from '../sqlite/index.ts';

/** The record of a mission in the folder of its workspace; removed with it. */
const recordName = 'mission.sqlite';

const migrations: Migration[] = [
  {
    number: 1,
    name: 'the mission and its steps',
    up(db) {
      db.exec(`
        CREATE TABLE mission (
          place INTEGER PRIMARY KEY CHECK (place = 1),
          name TEXT NOT NULL,
          plan TEXT NOT NULL,
          made_at_ms INTEGER NOT NULL,
          began_at_ms INTEGER,
          left_ms INTEGER
        ) STRICT;

        CREATE TABLE step (
          id TEXT PRIMARY KEY,
          proposal_id TEXT,
          title TEXT,
          shown_at_ms INTEGER,
          decided_at_ms INTEGER,
          had_incident INTEGER NOT NULL,
          step_end TEXT CHECK (step_end IN ('let-through', 'stopped', 'undecided')),
          reason TEXT
        ) STRICT, WITHOUT ROWID;
      `);
    },
  },
];

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
  /** When this proposal was shown first. */
  shownAtMs: number | null;
  decidedAtMs: number | null;
  /** True once its incident has happened, or has been armed at the service. */
  hadIncident: boolean;
  /** Null while it may still end in another way. */
  end: StepEnd | null;
  /** The reason given with Deny. */
  reason: string | null;
}

/** The workspace's own record: steps, their proposals, showings and decisions. */
export interface MissionRecord extends AsyncDisposable {
  /** Null in a workspace that was not prepared to its end. */
  mission(): StoredMission | null;
  keepMission(mission: StoredMission): void;
  keepLeft(leftMs: number): void;
  steps(): StoredStep[];
  keepStep(step: StoredStep): void;
}

/** Opens or makes the record of the mission in this workspace. Fails as `openDatabase`. The caller disposes. */
export function openMissionRecord(options: { folder: string; clock: Clock; logger: Logger }): MissionRecord {
  const { folder, clock, logger } = options;
  const file = join(folder, recordName);
  const { db, dispose } = openDatabase({ file, migrations, clock, logger });
  return { ...guardParts(recordRows(db), withStorageErrors), dispose };
}

type MissionRow = Omit<StoredMission, 'plan'> & { plan: string };
type StepRow = Omit<StoredStep, 'hadIncident'> & { hadIncident: number };

function recordRows(db: Database): Omit<MissionRecord, 'dispose'> {
  const mission = db.prepare<[], MissionRow>(
    `SELECT name, plan, made_at_ms AS madeAtMs, began_at_ms AS beganAtMs, left_ms AS leftMs FROM mission`,
  );
  const keepMission = db.prepare<[MissionRow]>(
    `INSERT OR REPLACE INTO mission (place, name, plan, made_at_ms, began_at_ms, left_ms)
     VALUES (1, :name, :plan, :madeAtMs, :beganAtMs, :leftMs)`,
  );
  const keepLeft = db.prepare<[number]>('UPDATE mission SET left_ms = ?');
  const steps = db.prepare<[], StepRow>(
    `SELECT id, proposal_id AS proposalId, title, shown_at_ms AS shownAtMs, decided_at_ms AS decidedAtMs,
       had_incident AS hadIncident, step_end AS "end", reason FROM step`,
  );
  const keepStep = db.prepare<[StepRow]>(
    `INSERT OR REPLACE INTO step (id, proposal_id, title, shown_at_ms, decided_at_ms, had_incident, step_end, reason)
     VALUES (:id, :proposalId, :title, :shownAtMs, :decidedAtMs, :hadIncident, :end, :reason)`,
  );
  return {
    mission() {
      const row = mission.get();
      // Written by this record alone.
      return row === undefined ? null : { ...row, plan: JSON.parse(row.plan) as MissionPlan };
    },
    keepMission: (stored) => void keepMission.run({ ...stored, plan: JSON.stringify(stored.plan) }),
    keepLeft: (leftMs) => void keepLeft.run(leftMs),
    steps: () => steps.all().map((row) => ({ ...row, hadIncident: row.hadIncident === 1 })),
    keepStep: (step) => void keepStep.run({ ...step, hadIncident: Number(step.hadIncident) }),
  };
}
