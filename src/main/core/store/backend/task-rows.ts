import { columnsOf, type Database, readColumn, writes } from '../sqlite/database.ts';

/**
 * `due`: a change waits for its approval; `ended`: nothing more is due; `suspended`: something that it needs was taken
 * away.
 */
export const taskStates = ['active', 'due', 'cancelled', 'ended', 'suspended'] as const;

export type TaskState = (typeof taskStates)[number];

/**
 * The outcome of one due time. Reports: `running`, `stored`, `no_data`, `failed`. Changes: `waiting`, `committed`, `expired`,
 * `cancelled`, `nothing_to_do`, `refused`. Either: `suspended`.
 */
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

/** A scheduled task. JSON is text here. */
export interface TaskRow {
  id: string;
  uid: number;
  clientId: string;
  grantId: string | null;
  /** Scopes of the principal that made it, separated by spaces. */
  scopes: string;
  definition: string;
  state: TaskState;
  /** Reason for the suspension: a code of the error catalogue. */
  reason: string | null;
  createdAtMs: number;
  nextDueAtMs: number | null;
  /** The answer of the prepare of the due change, while it waits. */
  approval: string | null;
  approvalExpiresAtMs: number | null;
}

export interface TaskRunRow {
  id: string;
  taskId: string;
  dueAtMs: number;
  ranAtMs: number;
  /** Number of earlier due times that passed while the service was down. */
  missed: number;
  outcome: RunOutcome;
  /** Reason for the failure, refusal or suspension: a code of the error catalogue. */
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
  /** When the next task is due or the next approval expires. */
  nextWakeMs(): number | null;
  lastRun(taskId: string): TaskRunRow | null;
  /** The run that was begun first and has not come to its end. */
  firstUnfinished(): TaskRunRow | null;
  file(uid: number, runId: string): TaskFile | null;
}

/** Changes tasks; call inside a transaction. */
export interface TaskWriter {
  addTask(task: TaskRow): void;
  /** Replaces what moves: state, reason, due time and approval. */
  setTask(task: TaskRow): void;
  addRun(run: TaskRunRow): void;
  /** Replaces what moves: outcome, reason and the sizes of the file. */
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
  const task = db.prepare<[string], TaskRow>(`${selectTask} WHERE id = ?`);
  const list = db.prepare<[number], TaskRow>(
    `${selectTask} WHERE uid = ? ORDER BY created_at_ms DESC, id DESC`,
  );
  const states = db.prepare<[number], { state: TaskState; count: number }>(
    'SELECT state, count(*) AS count FROM task WHERE uid = ? GROUP BY state',
  );
  const firstDue = db.prepare<[number], TaskRow>(
    `${selectTask} WHERE next_due_at_ms <= ? ORDER BY next_due_at_ms, id LIMIT 1`,
  );
  const waiting = db.prepare<[], TaskRow>(
    `${selectTask} WHERE approval_expires_at_ms IS NOT NULL ORDER BY approval_expires_at_ms, id`,
  );
  const wakeTimes = readColumn<[], number>(
    db,
    `SELECT next_due_at_ms FROM task WHERE next_due_at_ms IS NOT NULL
       UNION ALL SELECT approval_expires_at_ms FROM task WHERE approval_expires_at_ms IS NOT NULL ORDER BY 1 LIMIT 1`,
  );
  const lastRun = db.prepare<[string], TaskRunRow>(
    `${selectRun} WHERE task_id = ? ORDER BY due_at_ms DESC LIMIT 1`,
  );
  const unfinished = db.prepare<[], TaskRunRow>(
    `${selectRun} WHERE outcome = 'running' ORDER BY ran_at_ms, id LIMIT 1`,
  );
  const file = db.prepare<[number, string], TaskFile>(`
    SELECT content_type AS contentType, content FROM task_file
    JOIN task_run ON task_run.id = run_id JOIN task ON task.id = task_id
    WHERE uid = ? AND run_id = ?`);
  return {
    task: (id) => task.get(id) ?? null,
    list: (uid) => list.all(uid),
    count: (uid, wanted) =>
      states.all(uid).reduce((sum, { state, count }) => (wanted.includes(state) ? sum + count : sum), 0),
    firstDue: (nowMs) => firstDue.get(nowMs) ?? null,
    waiting: () => waiting.all(),
    nextWakeMs: () => wakeTimes.get() ?? null,
    lastRun: (taskId) => lastRun.get(taskId) ?? null,
    firstUnfinished: () => unfinished.get() ?? null,
    file: (uid, runId) => file.get(uid, runId) ?? null,
  };
}

export function createTaskWriter(db: Database): TaskWriter {
  const addFile = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO task_file (run_id, content_type, content) VALUES (?, ?, ?)',
  );
  const dropRuns = db.prepare<[string, number]>(`
    DELETE FROM task_run WHERE id IN (
      SELECT id FROM task_run WHERE task_id = ? ORDER BY due_at_ms DESC LIMIT -1 OFFSET ?)`);
  const dropFiles = db.prepare<[string, number]>(`
    DELETE FROM task_file WHERE run_id IN (
      SELECT id FROM task_run JOIN task_file ON run_id = id WHERE task_id = ?
      ORDER BY due_at_ms DESC LIMIT -1 OFFSET ?)`);
  return {
    addTask: writes(db, `INSERT INTO task ${taskColumns.inserted}`),
    setTask: writes(
      db,
      `
    UPDATE task SET state = @state, reason = @reason, next_due_at_ms = @nextDueAtMs, approval = @approval,
      approval_expires_at_ms = @approvalExpiresAtMs WHERE id = @id`,
    ),
    addRun: writes(db, `INSERT INTO task_run ${runColumns.inserted}`),
    setRun: writes(
      db,
      `
    UPDATE task_run SET outcome = @outcome, reason = @reason, row_count = @rowCount, byte_count = @byteCount
    WHERE id = @id`,
    ),
    addFile: (runId, { contentType, content }) => void addFile.run(runId, contentType, content),
    keepNewestRuns(taskId, { runs, files }) {
      dropRuns.run(taskId, runs);
      dropFiles.run(taskId, files);
    },
    keepNewestEnded: writes(
      db,
      `
    DELETE FROM task WHERE id IN (
      SELECT id FROM task WHERE uid = ? AND state IN ('cancelled', 'ended', 'suspended')
      ORDER BY created_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`,
    ),
  };
}
