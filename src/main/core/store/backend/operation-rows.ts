import { columnsOf, type Database, readFirst, readValue, writes } from '../sqlite/database.ts';

export interface ApprovalRow {
  id: string;
  uid: number;
  owner: string;
  grantId: string | null;
  kind: string;
  target: string;
  payload: string;
  revision: string;
  fingerprint: string;
  expiresAtMs: number;
  used: boolean;
}

export interface OperationRow {
  id: string;
  owner: string;
  idempotencyKey: string;
  requestHash: string;
  kind: string;
  target: string;
  /** Null once `answer` is stored. */
  payload: string | null;
  committedAtMs: number;
  answer: string | null;
}

interface OperationBounds {
  committedBeforeMs: number;
  maxPerOwner: number;
}

interface WaitingApprovals {
  ofOwner: number;
  uploads: number;
  payloadBytes: number;
}

/** Writing needs a transaction. */
export interface OperationRows {
  addApproval(row: Omit<ApprovalRow, 'used'>, staged: Uint8Array | null): void;
  approval(id: string): ApprovalRow | null;
  staged(approvalId: string): Uint8Array | null;
  /** Returns false if the approval was already used or does not exist. */
  useApproval(id: string): boolean;
  waiting(uid: number, owner: string): WaitingApprovals;
  /** Keeps used approvals for another hour. */
  pruneApprovals(nowMs: number): void;
  addOperation(row: OperationRow): void;
  operation(owner: string, id: string): OperationRow | null;
  operationByKey(owner: string, idempotencyKey: string): OperationRow | null;
  answer(id: string, answer: string): void;
  pruneOperations(owner: string, bounds: OperationBounds): void;
}

export interface Picture {
  id: number;
  sha256: string;
  contentType: string;
  width: number;
  height: number;
  bytes: number;
}

/** Pictures are never changed or removed, because campaigns contain their addresses. */
export interface PictureRows {
  /** Adds another owner if the picture already exists. Call it inside a transaction. */
  add(uid: number, picture: Omit<Picture, 'id' | 'bytes'> & { content: Uint8Array }): void;
  find(uid: number, sha256: string): Picture | null;
  content(sha256: string): { contentType: string; content: Uint8Array } | null;
  usage(uid: number): { pictures: number; bytes: number };
}

const operationColumns = columnsOf(
  'id owner idempotencyKey requestHash kind target payload committedAtMs answer',
);

export function createOperationRows(db: Database): OperationRows {
  const select = `SELECT ${operationColumns.selected} FROM operation WHERE owner = ?`;
  const answer = writes(db, 'UPDATE operation SET answer = ?, payload = NULL WHERE id = ?');
  const forgetOld = writes(db, 'DELETE FROM operation WHERE committed_at_ms < ?');
  const keepNewest = writes(
    db,
    `DELETE FROM operation WHERE id IN (
       SELECT id FROM operation WHERE owner = ? ORDER BY committed_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    ...createApprovalRows(db),
    addOperation: writes(db, `INSERT INTO operation ${operationColumns.inserted}`),
    operation: readFirst<OperationRow>(db, `${select} AND id = ?`),
    operationByKey: readFirst<OperationRow>(db, `${select} AND idempotency_key = ?`),
    answer: (id, text) => answer(text, id),
    pruneOperations(owner, { committedBeforeMs, maxPerOwner }) {
      forgetOld(committedBeforeMs);
      keepNewest(owner, maxPerOwner);
    },
  };
}

type StoredApproval = Omit<ApprovalRow, 'used'> & { used: number };

const approvalColumns = columnsOf(
  'id uid owner grantId kind target payload revision fingerprint expiresAtMs used',
);

type ApprovalRows = Pick<
  OperationRows,
  'addApproval' | 'approval' | 'staged' | 'useApproval' | 'waiting' | 'pruneApprovals'
>;

/** Keeps a used approval this long, so that a late repetition of its commit still gets the precise refusal. */
const usedRetentionMs = 60 * 60 * 1000;

function createApprovalRows(db: Database): ApprovalRows {
  const addApproval = writes(db, `INSERT INTO approval ${approvalColumns.inserted}`);
  const addFile = writes(db, 'INSERT INTO approval_file (approval_id, bytes) VALUES (?, ?)');
  const use = db.prepare<[string]>('UPDATE approval SET used = 1 WHERE id = ? AND used = 0');
  const dropFile = writes(db, 'DELETE FROM approval_file WHERE approval_id = ?');
  const waiting = readFirst<WaitingApprovals>(
    db,
    `SELECT count(*) FILTER (WHERE owner = ?) AS ofOwner, count(approval_file.approval_id) AS uploads,
       CAST(total(octet_length(payload)) AS INTEGER) AS payloadBytes
     FROM approval LEFT JOIN approval_file ON approval_file.approval_id = approval.id
     WHERE uid = ? AND used = 0`,
  );
  const prune = writes(
    db,
    `DELETE FROM approval WHERE expires_at_ms <= @nowMs AND (used = 0 OR expires_at_ms <= @nowMs - ${usedRetentionMs})`,
  );
  return {
    addApproval(row, staged) {
      addApproval({ ...row, used: 0 });
      if (staged !== null) addFile(row.id, staged);
    },
    approval: readFirst(
      db,
      `SELECT ${approvalColumns.selected} FROM approval WHERE id = ?`,
      (row: StoredApproval): ApprovalRow => ({ ...row, used: row.used === 1 }),
    ),
    staged: readValue<Uint8Array>(db, 'SELECT bytes FROM approval_file WHERE approval_id = ?'),
    useApproval(id) {
      const isFirst = use.run(id).changes === 1;
      dropFile(id);
      return isFirst;
    },
    waiting: (uid, owner) => waiting(owner, uid) ?? { ofOwner: 0, uploads: 0, payloadBytes: 0 },
    pruneApprovals: (nowMs) => prune({ nowMs }),
  };
}

export function createPictureRows(db: Database): PictureRows {
  const add = writes(
    db,
    `INSERT INTO picture (sha256, content_type, width, height, bytes) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (sha256) DO NOTHING`,
  );
  const own = writes(
    db,
    `INSERT INTO picture_owner (uid, picture_id) SELECT ?, id FROM picture WHERE sha256 = ?
     ON CONFLICT DO NOTHING`,
  );
  const usage = readFirst<{ pictures: number; bytes: number }>(
    db,
    `SELECT count(*) AS pictures, CAST(total(length(bytes)) AS INTEGER) AS bytes
     FROM picture JOIN picture_owner ON picture_id = id WHERE uid = ?`,
  );
  return {
    add(uid, { sha256, contentType, width, height, content }) {
      add(sha256, contentType, width, height, content);
      own(uid, sha256);
    },
    find: readFirst<Picture>(
      db,
      `SELECT id, sha256, content_type AS contentType, width, height, length(bytes) AS bytes
       FROM picture JOIN picture_owner ON picture_id = id WHERE uid = ? AND sha256 = ?`,
    ),
    content: readFirst<{ contentType: string; content: Uint8Array }>(
      db,
      'SELECT content_type AS contentType, bytes AS content FROM picture WHERE sha256 = ?',
    ),
    usage: (uid) => usage(uid) ?? { pictures: 0, bytes: 0 },
  };
}
