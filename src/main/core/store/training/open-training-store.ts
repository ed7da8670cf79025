import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createWriteGuard, guardParts } from '../sqlite/store-guard.ts';
import { type FolderLock } from '../sqlite/folder-lock.ts';
import { type Migration } from '../sqlite/stored-schema.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { type Database, runTransaction } from '../sqlite/database.ts';
import {
  createStateRows,
  createAttemptRows,
  createLessonRows,
  createSettingRows,
  createTraineeRows,
  createWorkspaceRow,
  createMissionRecord,
  type MissionRecord,
} from './rows.ts';

const trainingDatabaseName = 'training.sqlite';

const trainingMigrations: Migration[] = [
  {
    number: 1,
    name: 'names, attempts, lessons, the workspace and its saved states',
    up(db) {
      db.exec(`
        CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE trainee (name TEXT PRIMARY KEY, turn INTEGER NOT NULL UNIQUE) STRICT, WITHOUT ROWID;

        CREATE TABLE attempt (
          id TEXT PRIMARY KEY,
          name TEXT NOT NULL,
          ended_at_ms INTEGER NOT NULL,
          attempt TEXT NOT NULL,
          items TEXT NOT NULL,
          signature TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attempt_by_name ON attempt (name, ended_at_ms);

        CREATE TABLE lesson (
          name TEXT NOT NULL,
          id TEXT NOT NULL,
          done_at_ms INTEGER NOT NULL,
          PRIMARY KEY (name, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE workspace (
          place INTEGER PRIMARY KEY CHECK (place = 1),
          id TEXT NOT NULL,
          kind TEXT NOT NULL CHECK (kind IN ('mission', 'practice')),
          mission TEXT,
          at_ms INTEGER NOT NULL,
          ahead_ms INTEGER NOT NULL,
          data_key BLOB NOT NULL,
          began TEXT
        ) STRICT;

        CREATE TABLE practice_state (
          name TEXT PRIMARY KEY,
          folder TEXT NOT NULL UNIQUE,
          at_ms INTEGER NOT NULL,
          ahead_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
      `);
    },
  },
  {
    number: 2,
    name: 'the record of a mission, which was in its workspace; attempts without a signature',
    up(db) {
      db.exec(`
        DELETE FROM workspace WHERE kind = 'mission';
        ALTER TABLE workspace DROP COLUMN began;
        ALTER TABLE attempt DROP COLUMN signature;
        CREATE TABLE mission (
          workspace TEXT PRIMARY KEY,
          planned TEXT NOT NULL,
          progress TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
      `);
    },
  },
];

/** Records of training that outlive a workspace. Fails with `storage_failed`. */
export interface TrainingStore extends AsyncDisposable, TrainingRows {
  setAside: string | null;
  missionRecord(workspaceId: string): MissionRecord;
  transaction<T>(work: () => T): T;
}

type TrainingRows = ReturnType<typeof rowsOf>;

function rowsOf(db: Database) {
  return {
    settings: createSettingRows(db),
    trainees: createTraineeRows(db),
    attempts: createAttemptRows(db),
    lessons: createLessonRows(db),
    workspace: createWorkspaceRow(db),
    states: createStateRows(db),
  };
}

/** Fails as {@link openDatabase} does. Writes fail as those of the app's store do. */
export function openTrainingStore(options: {
  folder: string;
  clock: Clock;
  logger: Logger;
  lock?: FolderLock;
}): TrainingStore {
  const { folder, clock, logger, lock } = options;
  const file = join(folder, trainingDatabaseName);
  const migrations = trainingMigrations;
  const { db, setAside, dispose } = openDatabase({ file, migrations, clock, logger, lock });
  const guard = createWriteGuard(db, { file, clock, lock });
  return {
    ...guardParts(rowsOf(db), guard.call),
    missionRecord: (workspaceId) =>
      guardParts(
        guard.call(() => createMissionRecord(db, workspaceId)),
        guard.call,
      ),
    transaction(work) {
      guard.check();
      return runTransaction(db, work);
    },
    setAside,
    dispose,
  };
}
