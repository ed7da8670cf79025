import type { Database } from '../../sqlite/index.ts';
import { storedRun, storedTask } from './row-shapes.ts';
import type { StoredRun, StoredTask } from './row-shapes.ts';
import type { TaskWriter } from './types.ts';

/** Writes through one connection. */
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
    keepNewestEnded: (uid, most) => void dropEnded.run(uid, most),
  };
}
