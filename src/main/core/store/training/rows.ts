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
import { type MissionId, missionIds } from '#shared/training/index.ts';
import { makeFolder } from '#system/make-folder.ts';
import {
  type Database,
  connectReadOnly,
  withStorageErrors,
  readColumn,
  readRow,
  writes,
} from '../sqlite/database.ts';
import { preparePrivateFile } from '../sqlite/files.ts';

/** Values that outlive a start: the key that signs result files. */
export interface SettingRows {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

export function createSettingRows(db: Database): SettingRows {
  const select = readColumn<[string], string>(db, 'SELECT value FROM setting WHERE key = ?');
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return { get: (key) => select.get(key) ?? null, set: (key, value) => void upsert.run(key, value) };
}

export interface TraineeRows {
  /** The one that was chosen last comes first. */
  names(): string[];
  current(): string | null;
  choose(name: string): void;
}

export function createTraineeRows(db: Database): TraineeRows {
  const all = readColumn<[], string>(db, 'SELECT name FROM trainee ORDER BY turn DESC');
  const upsert = db.prepare<[string]>(
    `INSERT INTO trainee (name, turn) VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM trainee))
     ON CONFLICT (name) DO UPDATE SET turn = excluded.turn`,
  );
  return {
    names: () => all.all(),
    current: () => all.get() ?? null,
    choose: (name) => void upsert.run(name),
  };
}

export interface StoredAttempt {
  attempt: AttemptView;
  items: DebriefItem[];
}

export interface AttemptRows {
  add(stored: StoredAttempt): void;
  find(id: string): StoredAttempt | null;
  /** Newest first. */
  of(name: string): AttemptView[];
}

interface AttemptRow {
  attempt: string;
  items: string;
}

const storedSchema = z.object({ attempt: attemptSchema, items: z.array(debriefItemSchema) });

/** Attempts that this version cannot read, of a mission that was taken out for example, are left out. */
export function createAttemptRows(db: Database): AttemptRows {
  const insert = db.prepare<[AttemptRow & { id: string; name: string; endedAtMs: number }]>(
    `INSERT INTO attempt (id, name, ended_at_ms, attempt, items)
     VALUES (:id, :name, :endedAtMs, :attempt, :items)`,
  );
  const find = db.prepare<[string], AttemptRow>('SELECT attempt, items FROM attempt WHERE id = ?');
  const of = db.prepare<[string], AttemptRow>(
    'SELECT attempt, items FROM attempt WHERE name = ? ORDER BY ended_at_ms DESC, id DESC',
  );
  return {
    add({ attempt, items }) {
      const { id, name, endedAtMs } = attempt;
      const texts = { attempt: JSON.stringify(attempt), items: JSON.stringify(items) };
      insert.run({ id, name, endedAtMs, ...texts });
    },
    find: (id) => readRow(find.get(id), readAttempt),
    of: (name) => of.all(name).flatMap((row) => readAttempt(row)?.attempt ?? []),
  };
}

function readAttempt({ attempt, items }: AttemptRow): StoredAttempt | null {
  const parsed = storedSchema.safeParse({ attempt: JSON.parse(attempt), items: JSON.parse(items) });
  return parsed.success ? parsed.data : null;
}

export interface LessonRows {
  of(name: string): { id: LessonId; doneAtMs: number }[];
  /** Does nothing for a lesson that was done before. */
  add(name: string, id: LessonId, atMs: number): void;
}

const lessonSchema = z.enum(lessonIds);

export function createLessonRows(db: Database): LessonRows {
  const of = db.prepare<[string], { id: string; doneAtMs: number }>(
    'SELECT id, done_at_ms AS doneAtMs FROM lesson WHERE name = ?',
  );
  const insert = db.prepare<[string, string, number]>(
    'INSERT INTO lesson (name, id, done_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    of: (name) =>
      of.all(name).flatMap(({ id, doneAtMs }) => {
        const known = lessonSchema.safeParse(id);
        return known.success ? [{ id: known.data, doneAtMs }] : [];
      }),
    add: (name, id, atMs) => void insert.run(name, id, atMs),
  };
}

/** The workspace that is open or was left. */
export interface StoredWorkspace {
  id: string;
  kind: 'mission' | 'practice';
  /** Null for practice. */
  mission: MissionId | null;
  atMs: number;
  /** Time by which the clock of its embedded service is ahead, in milliseconds. */
  aheadMs: number;
  /** 32 bytes that seal the secrets of its core, which are those of its own embedded service alone. */
  dataKey: Buffer;
}

export interface WorkspaceRow {
  find(): StoredWorkspace | null;
  keep(workspace: StoredWorkspace): void;
  /** Forgets the workspace, and the record of its mission. */
  forget(): void;
}

const missionSchema = z.enum(missionIds).nullable();

type StoredRow = Omit<StoredWorkspace, 'mission'> & { mission: string | null };

export function createWorkspaceRow(db: Database): WorkspaceRow {
  const find = db.prepare<[], StoredRow>(
    'SELECT id, kind, mission, at_ms AS atMs, ahead_ms AS aheadMs, data_key AS dataKey FROM workspace',
  );
  const keep = db.prepare<[StoredRow]>(
    `INSERT OR REPLACE INTO workspace (place, id, kind, mission, at_ms, ahead_ms, data_key)
     VALUES (1, :id, :kind, :mission, :atMs, :aheadMs, :dataKey)`,
  );
  return {
    find() {
      const row = find.get();
      const mission = missionSchema.safeParse(row?.mission);
      return row === undefined || !mission.success ? null : { ...row, mission: mission.data };
    },
    keep: (workspace) => void keep.run(workspace),
    forget: () => void db.exec('DELETE FROM workspace; DELETE FROM mission;'),
  };
}

export interface StoredState {
  name: string;
  folder: string;
  atMs: number;
  /** Time by which the clock of the embedded service was ahead, in milliseconds. */
  aheadMs: number;
}

export interface StateRows {
  /** Newest first. */
  all(): StoredState[];
  find(name: string): StoredState | null;
  keep(state: StoredState): void;
  clear(): void;
}

const columns = 'name, folder, at_ms AS atMs, ahead_ms AS aheadMs';

export function createStateRows(db: Database): StateRows {
  const all = db.prepare<[], StoredState>(
    `SELECT ${columns} FROM practice_state ORDER BY at_ms DESC, folder DESC`,
  );
  const find = db.prepare<[string], StoredState>(`SELECT ${columns} FROM practice_state WHERE name = ?`);
  const keep = db.prepare<[StoredState]>(
    `INSERT OR REPLACE INTO practice_state (name, folder, at_ms, ahead_ms)
     VALUES (:name, :folder, :atMs, :aheadMs)`,
  );
  return {
    all: () => all.all(),
    find: (name) => find.get(name) ?? null,
    keep: (state) => void keep.run(state),
    clear: writes(db, 'DELETE FROM practice_state'),
  };
}

const databases = ['countersign.sqlite', 'backend.sqlite'];
const anchor = 'ledger.anchor.json';

/** Copies the state of a workspace, open or not, in one turn without other work in between. Fails as the disk does. */
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
