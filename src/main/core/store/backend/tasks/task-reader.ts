import type { Database } from '../../sqlite/index.ts';
import { runOf, taskOf } from './row-shapes.ts';
import type { StoredRun, StoredTask } from './row-shapes.ts';
import type { TaskFile, TaskReader, TaskState } from './types.ts';

/** Reads through one connection. */
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
