import type { Database } from '../../sqlite/index.ts';
import { createApprovalRows } from './approval-rows.ts';
import type { OperationRow, OperationRows } from './types.ts';

interface Row {
  id: string;
  owner: string;
  idempotency_key: string;
  request_hash: string;
  kind: string;
  target: string;
  payload: string | null;
  committed_at_ms: number;
  answer: string | null;
}

/** Keeps approvals and operations in the service's database. */
export function createOperationRows(db: Database): OperationRows {
  const add = db.prepare<Row>(`
    INSERT INTO operation (id, owner, idempotency_key, request_hash, kind, target, payload, committed_at_ms, answer)
    VALUES (:id, :owner, :idempotency_key, :request_hash, :kind, :target, :payload, :committed_at_ms, :answer)`);
  const find = db.prepare<[string, string], Row>('SELECT * FROM operation WHERE owner = ? AND id = ?');
  const findByKey = db.prepare<[string, string], Row>(
    'SELECT * FROM operation WHERE owner = ? AND idempotency_key = ?',
  );
  const answer = db.prepare<[string, string]>('UPDATE operation SET answer = ?, payload = NULL WHERE id = ?');
  const forgetOld = db.prepare<[number]>('DELETE FROM operation WHERE committed_at_ms < ?');
  const keepNewest = db.prepare<[string, number]>(`
    DELETE FROM operation WHERE id IN (
      SELECT id FROM operation WHERE owner = ? ORDER BY committed_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`);
  return {
    ...createApprovalRows(db),
    addOperation: (row) => void add.run(toRow(row)),
    operation: (owner, id) => fromRow(find.get(owner, id)),
    operationByKey: (owner, key) => fromRow(findByKey.get(owner, key)),
    answer: (id, text) => void answer.run(text, id),
    pruneOperations(owner, { committedBeforeMs, mostPerOwner }) {
      forgetOld.run(committedBeforeMs);
      keepNewest.run(owner, mostPerOwner);
    },
  };
}

function toRow({ idempotencyKey, requestHash, committedAtMs, ...row }: OperationRow): Row {
  return {
    ...row,
    idempotency_key: idempotencyKey,
    request_hash: requestHash,
    committed_at_ms: committedAtMs,
  };
}

function fromRow(row: Row | undefined): OperationRow | null {
  if (row === undefined) return null;
  const {
    idempotency_key: idempotencyKey,
    request_hash: requestHash,
    committed_at_ms: committedAtMs,
    ...rest
  } = row;
  return { ...rest, idempotencyKey, requestHash, committedAtMs };
}
