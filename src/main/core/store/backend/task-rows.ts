import type { Database } from '../sqlite/index.ts';
import type { TaskFile, TaskReader, TaskState, TaskWriter, TaskRow, TaskRunRow } from './types.ts';

export function createTaskReader(db: Database): TaskReader {
  const task = db.prepare<[string], StoredTask>('SELECT * FROM task WHERE id = ?');
  const list = db.prepare<[number], StoredTask>(
    'SELECT * FROM task WHERE uid = ? ORDER BY created_at_ms DESC, id DESC',
  );
  const states = db.prepare<[number], { state: TaskState; count: number }>(
    'SELECT state, count(*) AS count FROM task WHERE uid = ? GROUP BY state',
  );
  const firstDue = db.prepare<[number], StoredTask>(
    'SELECT * FROM task WHERE next_due_at_ms <= ? ORDER BY next_due_at_ms, id LIMIT 1',
  );
  const waiting = db.prepare<[], StoredTask>(
    'SELECT * FROM task WHERE approval_expires_at_ms IS NOT NULL ORDER BY approval_expires_at_ms, id',
  );
  const nextDue = db.prepare<[], { ms: number | null }>(
    'SELECT min(next_due_at_ms) AS ms FROM task WHERE next_due_at_ms IS NOT NULL',
  );
  const nextExpiry = db.prepare<[], { ms: number | null }>(
    'SELECT min(approval_expires_at_ms) AS ms FROM task WHERE approval_expires_at_ms IS NOT NULL',
  );
  const lastRun = db.prepare<[string], StoredRun>(
    'SELECT * FROM task_run WHERE task_id = ? ORDER BY due_at_ms DESC LIMIT 1',
  );
  const unfinished = db.prepare<[], StoredRun>(
    `SELECT * FROM task_run WHERE outcome = 'running' ORDER BY ran_at_ms, id LIMIT 1`,
  );
  const file = db.prepare<[number, string], TaskFile>(`
    SELECT content_type AS contentType, content FROM task_file
    JOIN task_run ON task_run.id = run_id JOIN task ON task.id = task_id
    WHERE uid = ? AND run_id = ?`);
  return {
    task(id) {
      const row = task.get(id);
      return row === undefined ? null : taskOf(row);
    },
    list: (uid) => list.all(uid).map(taskOf),
    count: (uid, wanted) =>
      states.all(uid).reduce((sum, { state, count }) => (wanted.includes(state) ? sum + count : sum), 0),
    firstDue(nowMs) {
      const row = firstDue.get(nowMs);
      return row === undefined ? null : taskOf(row);
    },
    waiting: () => waiting.all().map(taskOf),
    nextWakeMs() {
      const times = [nextDue.get()?.ms ?? null, nextExpiry.get()?.ms ?? null].filter((ms) => ms !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
    lastRun(taskId) {
      const row = lastRun.get(taskId);
      return row === undefined ? null : runOf(row);
    },
    firstUnfinished() {
      const row = unfinished.get();
      return row === undefined ? null : runOf(row);
    },
    file: (uid, runId) => file.get(uid, runId) ?? null,
  };
}

export function createTaskWriter(db: Database): TaskWriter {
  const addTask = db.prepare<[StoredTask]>(`
    INSERT INTO task (id, uid, client_id, grant_id, scopes, definition, state, reason, created_at_ms, next_due_at_ms,
      approval, approval_expires_at_ms)
    VALUES (@id, @uid, @client_id, @grant_id, @scopes, @definition, @state, @reason, @created_at_ms, @next_due_at_ms,
      @approval, @approval_expires_at_ms)`);
  const setTask = db.prepare<[StoredTask]>(`
    UPDATE task SET state = @state, reason = @reason, next_due_at_ms = @next_due_at_ms, approval = @approval,
      approval_expires_at_ms = @approval_expires_at_ms WHERE id = @id`);
  const addRun = db.prepare<[StoredRun]>(`
    INSERT INTO task_run (id, task_id, due_at_ms, ran_at_ms, missed, outcome, reason, row_count, byte_count)
    VALUES (@id, @task_id, @due_at_ms, @ran_at_ms, @missed, @outcome, @reason, @row_count, @byte_count)`);
  const setRun = db.prepare<[StoredRun]>(`
    UPDATE task_run SET outcome = @outcome, reason = @reason, row_count = @row_count, byte_count = @byte_count
    WHERE id = @id`);
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
  const dropEnded = db.prepare<[number, number]>(`
    DELETE FROM task WHERE id IN (
      SELECT id FROM task WHERE uid = ? AND state IN ('cancelled', 'ended', 'suspended')
      ORDER BY created_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`);
  return {
    addTask: (task) => void addTask.run(storedTask(task)),
    setTask: (task) => void setTask.run(storedTask(task)),
    addRun: (run) => void addRun.run(storedRun(run)),
    setRun: (run) => void setRun.run(storedRun(run)),
    addFile: (runId, { contentType, content }) => void addFile.run(runId, contentType, content),
    keepNewestRuns(taskId, { runs, files }) {
      dropRuns.run(taskId, runs);
      dropFiles.run(taskId, files);
    },
    keepNewestEnded: (uid, max) => void dropEnded.run(uid, max),
  };
}

/** A row of `task`. */
interface StoredTask {
  id: string;
  uid: number;
  client_id: string;
  grant_id: string | null;
  scopes: string;
  definition: string;
  state: TaskRow['state'];
  reason: string | null;
  created_at_ms: number;
  next_due_at_ms: number | null;
  approval: string | null;
  approval_expires_at_ms: number | null;
}

/** A row of `task_run`. */
interface StoredRun {
  id: string;
  task_id: string;
  due_at_ms: number;
  ran_at_ms: number;
  missed: number;
  outcome: TaskRunRow['outcome'];
  reason: string | null;
  row_count: number | null;
  byte_count: number | null;
}

function taskOf(row: StoredTask): TaskRow {
  const { id, uid, scopes, definition, state, reason, approval } = row;
  return {
    id,
    uid,
    clientId: row.client_id,
    grantId: row.grant_id,
    scopes,
    definition,
    state,
    reason,
    createdAtMs: row.created_at_ms,
    nextDueAtMs: row.next_due_at_ms,
    approval,
    approvalExpiresAtMs: row.approval_expires_at_ms,
  };
}

function storedTask(task: TaskRow): StoredTask {
  const { id, uid, scopes, definition, state, reason, approval } = task;
  return {
    id,
    uid,
    client_id: task.clientId,
    grant_id: task.grantId,
    scopes,
    definition,
    state,
    reason,
    created_at_ms: task.createdAtMs,
    next_due_at_ms: task.nextDueAtMs,
    approval,
    approval_expires_at_ms: task.approvalExpiresAtMs,
  };
}

function runOf(row: StoredRun): TaskRunRow {
  const { id, missed, outcome, reason } = row;
  return {
    id,
    taskId: row.task_id,
    dueAtMs: row.due_at_ms,
    ranAtMs: row.ran_at_ms,
    missed,
    outcome,
    reason,
    rowCount: row.row_count,
    byteCount: row.byte_count,
  };
}

function storedRun(run: TaskRunRow): StoredRun {
  const { id, missed, outcome, reason } = run;
  return {
    id,
    task_id: run.taskId,
    due_at_ms: run.dueAtMs,
    ran_at_ms: run.ranAtMs,
    missed,
    outcome,
    reason,
    row_count: run.rowCount,
    byte_count: run.byteCount,
  };
}
