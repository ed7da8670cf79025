import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type AttemptView,
  attemptSchema,
  type DebriefItem,
  debriefItemSchema,
  type LessonId,
  lessonIds,
} from '#shared/app-api/index.ts';
import { diskFailure } from '#shared/errors/index.ts';
import { type MissionId, missionIds, type MissionPlan, type StepEnd } from '#shared/training/index.ts';
import { makeFolder } from '#system/replace-file.ts';
import {
  type Database,
  connectReadOnly,
  withStorageErrors,
  readAll,
  readFirst,
  readValue,
  readValues,
  writes,
} from '../sqlite/database.ts';
import { preparePrivateFile } from '../sqlite/files.ts';

export interface SettingRows {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

export function createSettingRows(db: Database): SettingRows {
  return {
    get: readValue<string>(db, 'SELECT value FROM setting WHERE key = ?'),
    set: writes(
      db,
      'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    ),
  };
}

export interface TraineeRows {
  names(): string[];
  current(): string | null;
  choose(name: string): void;
}

export function createTraineeRows(db: Database): TraineeRows {
  const names = readValues<string>(db, 'SELECT name FROM trainee ORDER BY turn DESC');
  return {
    names,
    current: () => names()[0] ?? null,
    choose: writes(
      db,
      `INSERT INTO trainee (name, turn) VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM trainee))
       ON CONFLICT (name) DO UPDATE SET turn = excluded.turn`,
    ),
  };
}

export interface StoredAttempt {
  attempt: AttemptView;
  items: DebriefItem[];
}

export interface AttemptRows {
  add(stored: StoredAttempt): void;
  find(id: string): StoredAttempt | null;
  of(name: string): AttemptView[];
}

interface AttemptRow {
  attempt: string;
  items: string;
}

const storedSchema = z.object({ attempt: attemptSchema, items: z.array(debriefItemSchema) });

/** Skips attempts at missions that no longer exist. */
export function createAttemptRows(db: Database): AttemptRows {
  const insert = writes(
    db,
    `INSERT INTO attempt (id, name, ended_at_ms, attempt, items)
     VALUES (:id, :name, :endedAtMs, :attempt, :items)`,
  );
  const of = readAll(
    db,
    'SELECT attempt, items FROM attempt WHERE name = ? ORDER BY ended_at_ms DESC, id DESC',
    readAttempt,
  );
  return {
    add({ attempt, items }) {
      const { id, name, endedAtMs } = attempt;
      const texts = { attempt: JSON.stringify(attempt), items: JSON.stringify(items) };
      insert({ id, name, endedAtMs, ...texts });
    },
    find: readFirst(db, 'SELECT attempt, items FROM attempt WHERE id = ?', readAttempt),
    of: (name) => of(name).flatMap((stored) => stored?.attempt ?? []),
  };
}

function readAttempt({ attempt, items }: AttemptRow): StoredAttempt | null {
  const parsed = storedSchema.safeParse({ attempt: JSON.parse(attempt), items: JSON.parse(items) });
  return parsed.success ? parsed.data : null;
}

export interface LessonRows {
  of(name: string): { id: LessonId; doneAtMs: number }[];
  add(name: string, id: LessonId, atMs: number): void;
}

const lessonSchema = z.enum(lessonIds);

export function createLessonRows(db: Database): LessonRows {
  const of = readAll<{ id: string; doneAtMs: number }>(
    db,
    'SELECT id, done_at_ms AS doneAtMs FROM lesson WHERE name = ?',
  );
  return {
    of: (name) =>
      of(name).flatMap(({ id, doneAtMs }) => {
        const known = lessonSchema.safeParse(id);
        return known.success ? [{ id: known.data, doneAtMs }] : [];
      }),
    add: writes(db, 'INSERT INTO lesson (name, id, done_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
  };
}

export interface StoredWorkspace {
  id: string;
  kind: 'mission' | 'practice';
  mission: MissionId | null;
  atMs: number;
  aheadMs: number;
  /** The data key (32 bytes) of the workspace's core. */
  dataKey: Buffer;
}

export interface WorkspaceRow {
  find(): StoredWorkspace | null;
  keep(workspace: StoredWorkspace): void;
  forget(): void;
}

const missionSchema = z.enum(missionIds).nullable();

type StoredRow = Omit<StoredWorkspace, 'mission'> & { mission: string | null };

export function createWorkspaceRow(db: Database): WorkspaceRow {
  return {
    find: readFirst(
      db,
      'SELECT id, kind, mission, at_ms AS atMs, ahead_ms AS aheadMs, data_key AS dataKey FROM workspace',
      (row: StoredRow): StoredWorkspace | null => {
        const mission = missionSchema.safeParse(row.mission);
        return mission.success ? { ...row, mission: mission.data } : null;
      },
    ),
    keep: writes(
      db,
      `INSERT OR REPLACE INTO workspace (place, id, kind, mission, at_ms, ahead_ms, data_key)
       VALUES (1, :id, :kind, :mission, :atMs, :aheadMs, :dataKey)`,
    ),
    forget: () => void db.exec('DELETE FROM workspace; DELETE FROM mission;'),
  };
}

export interface StoredState {
  name: string;
  folder: string;
  atMs: number;
  aheadMs: number;
}

export interface StateRows {
  all(): StoredState[];
  find(name: string): StoredState | null;
  keep(state: StoredState): void;
  clear(): void;
}

const columns = 'name, folder, at_ms AS atMs, ahead_ms AS aheadMs';

export function createStateRows(db: Database): StateRows {
  return {
    all: readAll<StoredState>(db, `SELECT ${columns} FROM practice_state ORDER BY at_ms DESC, folder DESC`),
    find: readFirst<StoredState>(db, `SELECT ${columns} FROM practice_state WHERE name = ?`),
    keep: writes(
      db,
      `INSERT OR REPLACE INTO practice_state (name, folder, at_ms, ahead_ms)
       VALUES (:name, :folder, :atMs, :aheadMs)`,
    ),
    clear: writes(db, 'DELETE FROM practice_state'),
  };
}

export interface StoredMission {
  name: string;
  plan: MissionPlan;
  madeAtMs: number;
  beganAtMs: number | null;
  leftMs: number | null;
}

export interface StoredStep {
  id: string;
  proposalId: string | null;
  title: string | null;
  shownAtMs: number | null;
  decidedAtMs: number | null;
  hadIncident: boolean;
  end: StepEnd | null;
  reason: string | null;
}

export interface MissionRecord {
  /** Null for a mission that was not completely prepared or whose row is damaged. */
  mission(): StoredMission | null;
  keepMission(mission: StoredMission): void;
  keepLeft(leftMs: number): void;
  /** True if a person revoked the agent's access: then no other agent replaces it. */
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
  const select = 'SELECT planned, progress FROM mission WHERE workspace = ?';
  const insert = writes(
    db,
    'INSERT OR REPLACE INTO mission (workspace, planned, progress) VALUES (:workspace, :planned, :progress)',
  );
  const update = writes(db, 'UPDATE mission SET progress = ? WHERE workspace = ?');
  const stored = readFirst(db, select, readMission)(workspaceId);
  let planned = stored?.planned ?? null;
  let progress = stored?.progress ?? { beganAtMs: null, leftMs: null, isRevoked: false, steps: [] };

  function keep(changed: Partial<Progress>): void {
    progress = { ...progress, ...changed };
    update(JSON.stringify(progress), workspaceId);
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
      insert({ workspace: workspaceId, ...texts });
    },
    keepLeft: (leftMs) => keep({ leftMs }),
    isRevoked: () => progress.isRevoked,
    keepRevoked: () => keep({ isRevoked: true }),
    steps: () => progress.steps,
    keepStep: (step) => keep({ steps: [...progress.steps.filter(({ id }) => id !== step.id), step] }),
  };
}

function readMission(row: MissionRow): { planned: Planned; progress: Progress } | null {
  try {
    return { planned: JSON.parse(row.planned) as Planned, progress: JSON.parse(row.progress) as Progress };
  } catch {
    return null;
  }
}

const databases = ['countersign.sqlite', 'backend.sqlite'];
const anchor = 'ledger.anchor.json';

/** Can copy an open workspace. Fails as the disk does. */
export function copyWorkspace(from: string, to: string): void {
  try {
    makeFolder(to, 0o700);
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
  for (const name of databases) copyDatabase(join(from, name), join(to, name));
  try {
    copyFileSync(join(from, anchor), join(to, anchor));
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
}

function copyDatabase(from: string, to: string): void {
  preparePrivateFile(to);
  withStorageErrors(() => {
    const db = connectReadOnly(from);
    try {
      db.prepare('VACUUM INTO ?').run(to);
    } finally {
      db.close();
    }
  });
}
