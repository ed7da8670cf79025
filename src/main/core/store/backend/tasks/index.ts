import type { Database } from '../../sqlite/index.ts';
import { createTaskReader } from './task-reader.ts';
import { createTaskWriter } from './task-writer.ts';
import type { TaskReader, TaskWriter } from './types.ts';

export { runOutcomes, taskStates } from './types.ts';
export type {
  RunOutcome,
  TaskFile,
  TaskReader,
  TaskRow,
  TaskRunRow,
  TaskState,
  TaskWriter,
} from './types.ts';

/** Tasks through one connection. */
export function createTaskStore(db: Database): { read: TaskReader; write: TaskWriter } {
  return { read: createTaskReader(db), write: createTaskWriter(db) };
}
