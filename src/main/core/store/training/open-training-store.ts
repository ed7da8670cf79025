import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { guardParts, openDatabase, runTransaction, withStorageErrors } from '../sqlite/index.ts';
import { trainingMigrations } from './migrations.ts';
import {
  type AttemptRows,
  createAttemptRows,
  createLessonRows,
  createSettingRows,
  createTraineeRows,
  createWorkspaceRow,
  type LessonRows,
  type SettingRows,
  type TraineeRows,
  type WorkspaceRow,
} from './rows.ts';

/** The database of training, in its own data folder. */
const trainingDatabaseName = 'training.sqlite';

/** Everything of training that outlives a workspace. Reads and writes fail with `storage_failed`. */
export interface TrainingStore extends AsyncDisposable {
  /** New path of a damaged database that was moved at this start, or null. */
  setAside: string | null;
  settings: SettingRows;
  trainees: TraineeRows;
  attempts: AttemptRows;
  lessons: LessonRows;
  workspace: WorkspaceRow;
  /** All of the work or nothing, on the disk when it returns. */
  transaction<T>(work: () => T): T;
}

/** Opens or makes training.sqlite. Fails as `openDatabase`. The caller has the folder's lock and disposes. */
export function openTrainingStore(options: { folder: string; clock: Clock; logger: Logger }): TrainingStore {
  const { folder, clock, logger } = options;
  const file = join(folder, trainingDatabaseName);
  const { db, setAside, dispose } = openDatabase({ file, migrations: trainingMigrations, clock, logger });
  const parts = {
    settings: createSettingRows(db),
    trainees: createTraineeRows(db),
    attempts: createAttemptRows(db),
    lessons: createLessonRows(db),
    workspace: createWorkspaceRow(db),
  };
  return {
    ...guardParts(parts, withStorageErrors),
    transaction: (work) => runTransaction(db, work),
    setAside,
    dispose,
  };
}
