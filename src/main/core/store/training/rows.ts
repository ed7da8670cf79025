import { z } from 'zod';
import {
  type AttemptView,
  attemptSchema,
  type DebriefItem,
  debriefItemSchema,
  type LessonId,
  lessonIds,
} from '#shared/app-api/index.ts';
import { type MissionId, missionIds, traineeNameSchema } from '#shared/training/index.ts';
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

/** An attempt as it is stored: the texts that were signed. */
export interface SignedAttempt {
  id: string;
  name: string;
  endedAtMs: number;
  /** JSON of the attempt, and of the items of its debriefing. */
  attempt: string;
  items: string;
  /** Ed25519, base64url. */
  signature: string;
}

export interface AttemptRows {
  add(signed: SignedAttempt): void;
  find(id: string): SignedAttempt | null;
  /** Newest first. */
  of(name: string): SignedAttempt[];
}

const storedSchema = z.object({ attempt: attemptSchema, items: z.array(debriefItemSchema) });

export function createAttemptRows(db: Database): AttemptRows {
  const columns = 'id, name, ended_at_ms AS endedAtMs, attempt, items, signature';
  const insert = db.prepare<[SignedAttempt]>(
    `INSERT INTO attempt (id, name, ended_at_ms, attempt, items, signature)
     VALUES (:id, :name, :endedAtMs, :attempt, :items, :signature)`,
  );
  const find = db.prepare<[string], SignedAttempt>(`SELECT ${columns} FROM attempt WHERE id = ?`);
  const of = db.prepare<[string], SignedAttempt>(
    `SELECT ${columns} FROM attempt WHERE name = ? ORDER BY ended_at_ms DESC, id DESC`,
  );
  return {
    add: (signed) => void insert.run(signed),
    find: (id) => find.get(id) ?? null,
    of: (name) => of.all(name),
  };
}

/** Reads the texts of a stored attempt. Null for one of another version, of a mission that was taken out for example. */
export function readAttempt({
  attempt,
  items,
}: Pick<SignedAttempt, 'attempt' | 'items'>): StoredAttempt | null {
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
  /** The attempt that its mission is, since the agent began; null before that, and for practice. */
  began: BegunAttempt | null;
}

/** Facts of an attempt that need no files of its workspace. */
export interface BegunAttempt {
  name: string;
  seed: number;
  atMs: number;
}

/** The one workspace that there is, or none. */
export interface WorkspaceRow {
  find(): StoredWorkspace | null;
  /** In place of any other. */
  keep(workspace: StoredWorkspace): void;
  forget(): void;
}

const missionSchema = z.enum(missionIds).nullable();

const begunSchema = z.object({ name: traineeNameSchema, seed: z.int().min(0), atMs: z.int().min(0) });

type StoredRow = Omit<StoredWorkspace, 'mission' | 'began'> & {
  mission: string | null;
  began: string | null;
};

export function createWorkspaceRow(db: Database): WorkspaceRow {
  const find = db.prepare<[], StoredRow>(
    `SELECT id, kind, mission, at_ms AS atMs, ahead_ms AS aheadMs, data_key AS dataKey, began FROM workspace`,
  );
  const keep = db.prepare<[StoredRow]>(
    `INSERT OR REPLACE INTO workspace (place, id, kind, mission, at_ms, ahead_ms, data_key, began)
     VALUES (1, :id, :kind, :mission, :atMs, :aheadMs, :dataKey, :began)`,
  );
  const forget = db.prepare('DELETE FROM workspace');
  return {
    find() {
      const row = find.get();
      const mission = missionSchema.safeParse(row?.mission);
      if (row === undefined || !mission.success) return null;
      const began = row.began === null ? null : readBegun(row.began);
      return { ...row, mission: mission.data, began };
    },
    keep: (workspace) =>
      void keep.run({ ...workspace, began: workspace.began && JSON.stringify(workspace.began) }),
    forget: () => void forget.run(),
  };
}

/** Null where the text was edited. */
function readBegun(text: string): BegunAttempt | null {
  try {
    return begunSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
