import { columnsOf, type Database, readAll, readFirst, readValue, writes } from '../sqlite/database.ts';

/** `due`: a change waits for approval. `suspended`: the task lost something it needs, for example its grant. */
export const taskStates = ['active', 'due', 'cancelled', 'ended', 'suspended'] as const;

export type TaskState = (typeof taskStates)[number];

/** Outcomes of reports: `running` to `failed`. Outcomes of changes: `waiting` to `refused`. Both: `suspended`. */
export const runOutcomes = [
  'running',
  'stored',
  'no_data',
  'failed',
  'waiting',
  'committed',
  'expired',
  'cancelled',
  'nothing_to_do',
  'refused',
  'suspended',
] as const;

export type RunOutcome = (typeof runOutcomes)[number];

export interface TaskRow {
  id: string;
  uid: number;
  clientId: string;
  grantId: string | null;
  scopes: string;
  definition: string;
  state: TaskState;
  reason: string | null;
  createdAtMs: number;
  nextDueAtMs: number | null;
  approval: string | null;
  approvalExpiresAtMs: number | null;
}

export interface TaskRunRow {
  id: string;
  taskId: string;
  dueAtMs: number;
  ranAtMs: number;
  /** Number of earlier due times that passed while the service was stopped. */
  missed: number;
  outcome: RunOutcome;
  reason: string | null;
  rowCount: number | null;
  byteCount: number | null;
}

export interface TaskFile {
  contentType: string;
  content: string;
}

export interface TaskReader {
  task(id: string): TaskRow | null;
  list(uid: number): TaskRow[];
  count(uid: number, states: readonly TaskState[]): number;
  firstDue(nowMs: number): TaskRow | null;
  waiting(): TaskRow[];
  nextWakeMs(): number | null;
  lastRun(taskId: string): TaskRunRow | null;
  firstUnfinished(): TaskRunRow | null;
  file(uid: number, runId: string): TaskFile | null;
}

/** Call it inside a transaction. */
export interface TaskWriter {
  addTask(task: TaskRow): void;
  /** Replaces only state, reason, due time and approval. */
  setTask(task: TaskRow): void;
  addRun(run: TaskRunRow): void;
  /** Replaces only outcome, reason and sizes. */
  setRun(run: TaskRunRow): void;
  addFile(runId: string, file: TaskFile): void;
  keepNewestRuns(taskId: string, max: { runs: number; files: number }): void;
  keepNewestEnded(uid: number, max: number): void;
}

const taskColumns = columnsOf(
  `id uid clientId grantId scopes definition state reason createdAtMs nextDueAtMs approval
  approvalExpiresAtMs`,
);

const runColumns = columnsOf('id taskId dueAtMs ranAtMs missed outcome reason rowCount byteCount');

const selectTask = `SELECT ${taskColumns.selected} FROM task`;
const selectRun = `SELECT ${runColumns.selected} FROM task_run`;

export function createTaskReader(db: Database): TaskReader {
  const states = readAll<{ state: TaskState; count: number }>(
    db,
    'SELECT state, count(*) AS count FROM task WHERE uid = ? GROUP BY state',
  );
  return {
    task: readFirst<TaskRow>(db, `${selectTask} WHERE id = ?`),
    list: readAll<TaskRow>(db, `${selectTask} WHERE uid = ? ORDER BY created_at_ms DESC, id DESC`),
    count: (uid, wanted) =>
      states(uid).reduce((sum, { state, count }) => (wanted.includes(state) ? sum + count : sum), 0),
    firstDue: readFirst<TaskRow>(
      db,
      `${selectTask} WHERE next_due_at_ms <= ? ORDER BY next_due_at_ms, id LIMIT 1`,
    ),
    waiting: readAll<TaskRow>(
      db,
      `${selectTask} WHERE approval_expires_at_ms IS NOT NULL ORDER BY approval_expires_at_ms, id`,
    ),
    nextWakeMs: readValue<number>(
      db,
      `SELECT next_due_at_ms FROM task WHERE next_due_at_ms IS NOT NULL
       UNION ALL SELECT approval_expires_at_ms FROM task WHERE approval_expires_at_ms IS NOT NULL ORDER BY 1 LIMIT 1`,
    ),
    lastRun: readFirst<TaskRunRow>(db, `${selectRun} WHERE task_id = ? ORDER BY due_at_ms DESC LIMIT 1`),
    firstUnfinished: readFirst<TaskRunRow>(
      db,
      `${selectRun} WHERE outcome = 'running' ORDER BY ran_at_ms, id LIMIT 1`,
    ),
    file: readFirst<TaskFile>(
      db,
      `SELECT content_type AS contentType, content FROM task_file
       JOIN task_run ON task_run.id = run_id JOIN task ON task.id = task_id
       WHERE uid = ? AND run_id = ?`,
    ),
  };
}

export function createTaskWriter(db: Database): TaskWriter {
  const addFile = writes(
    db,
    'INSERT OR REPLACE INTO task_file (run_id, content_type, content) VALUES (?, ?, ?)',
  );
  const dropRuns = writes(
    db,
    `DELETE FROM task_run WHERE id IN (
       SELECT id FROM task_run WHERE task_id = ? ORDER BY due_at_ms DESC LIMIT -1 OFFSET ?)`,
  );
  const dropFiles = writes(
    db,
    `DELETE FROM task_file WHERE run_id IN (
       SELECT id FROM task_run JOIN task_file ON run_id = id WHERE task_id = ?
       ORDER BY due_at_ms DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    addTask: writes(db, `INSERT INTO task ${taskColumns.inserted}`),
    setTask: writes(
      db,
      `UPDATE task SET state = @state, reason = @reason, next_due_at_ms = @nextDueAtMs, approval = @approval,
         approval_expires_at_ms = @approvalExpiresAtMs WHERE id = @id`,
    ),
    addRun: writes(db, `INSERT INTO task_run ${runColumns.inserted}`),
    setRun: writes(
      db,
      `UPDATE task_run SET outcome = @outcome, reason = @reason, row_count = @rowCount, byte_count = @byteCount
       WHERE id = @id`,
    ),
    addFile: (runId, { contentType, content }) => addFile(runId, contentType, content),
    keepNewestRuns(taskId, { runs, files }) {
      dropRuns(taskId, runs);
      dropFiles(taskId, files);
    },
    keepNewestEnded: writes(
      db,
      `DELETE FROM task WHERE id IN (
         SELECT id FROM task WHERE uid = ? AND state IN ('cancelled', 'ended', 'suspended')
         ORDER BY created_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`,
    ),
  };
}
