import { z } from 'zod';
import {
  type AttemptView,
  attemptSchema,
  type DebriefItem,
  debriefItemSchema,
  type LessonId,
  lessonIds,
} from '#shared/app-api/index.ts';
import { type MissionId, missionIds } from '#shared/training/index.ts';
import type { Database } from '../sqlite/index.ts';

/** Values that outlive a start: the key that signs result files. */
export interface SettingRows {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

export function createSettingRows(db: Database): SettingRows {
  const select = db.prepare<[string], string>('SELECT value FROM setting WHERE key = ?').pluck();
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return { get: (key) => select.get(key) ?? null, set: (key, value) => void upsert.run(key, value) };
}

/** The names that train on this computer. */
export interface TraineeRows {
  /** The one that was chosen last comes first. */
  names(): string[];
  /** The name that trains now, or null. */
  current(): string | null;
  choose(name: string): void;
}

export function createTraineeRows(db: Database): TraineeRows {
  const all = db.prepare<[], string>('SELECT name FROM trainee ORDER BY turn DESC').pluck();
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

/** An attempt with its debriefing. */
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
    find(id) {
      const row = find.get(id);
      return row === undefined ? null : readAttempt(row);
    },
    of: (name) => of.all(name).flatMap((row) => readAttempt(row)?.attempt ?? []),
  };
}

function readAttempt({ attempt, items }: AttemptRow): StoredAttempt | null {
  const parsed = storedSchema.safeParse({ attempt: JSON.parse(attempt), items: JSON.parse(items) });
  return parsed.success ? parsed.data : null;
}

/** Lessons that a name has done. */
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
  /** Name of its folder. */
  id: string;
  kind: 'mission' | 'practice';
  /** Null for practice. */
  mission: MissionId | null;
  /** When it was open last. */
  atMs: number;
  /** Time by which the clock of its embedded service is ahead, in milliseconds. */
  aheadMs: number;
  /** 32 bytes that seal the secrets of its core, which are those of its own embedded service alone. */
  dataKey: Buffer;
}

/** The one workspace that there is, or none. */
export interface WorkspaceRow {
  find(): StoredWorkspace | null;
  /** In place of any other. */
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
