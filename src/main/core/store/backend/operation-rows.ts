import { columnsOf, type Database } from '../sqlite/database.ts';

/** A change that was prepared and may be committed once. JSON is text here. */
export interface ApprovalRow {
  id: string;
  uid: number;
  /** The principal's key. */
  owner: string;
  grantId: string | null;
  kind: string;
  target: string;
  /** Canonical JSON (RFC 8785). */
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
  /** SHA-256 of everything that was asked for with the key. */
  requestHash: string;
  kind: string;
  target: string;
  /** The written payload, as JSON text; null once the answer is there. */
  payload: string | null;
  committedAtMs: number;
  /** The complete answer as JSON text; null until the verification read is done. */
  answer: string | null;
}

interface OperationBounds {
  committedBeforeMs: number;
  maxPerOwner: number;
}

interface WaitingApprovals {
  ofOwner: number;
  /** Number in the account that keep the bytes of an upload. */
  uploads: number;
  payloadBytes: number;
}

/** Approvals and operations of the remote tools. Change them inside a transaction. */
export interface OperationRows {
  addApproval(row: Omit<ApprovalRow, 'used'>, staged: Uint8Array | null): void;
  approval(id: string): ApprovalRow | null;
  staged(approvalId: string): Uint8Array | null;
  /** Marks an approval as used and lets its bytes go; false when it was used already or is not there. */
  useApproval(id: string): boolean;
  waiting(uid: number, owner: string): WaitingApprovals;
  /** Forgets what has expired; what was used is known for an hour longer. */
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

/** Published pictures by their content. They are never changed and never removed: campaigns name their address. */
export interface PictureRows {
  /** Publishes the picture for an account; one that is there already gets one owner more. Inside a transaction. */
  add(uid: number, picture: Omit<Picture, 'id' | 'bytes'> & { content: Uint8Array }): void;
  find(uid: number, sha256: string): Picture | null;
  content(sha256: string): { contentType: string; content: Uint8Array } | null;
  usage(uid: number): { pictures: number; bytes: number };
}

const operationColumns = columnsOf(
  'id owner idempotencyKey requestHash kind target payload committedAtMs answer',
);

export function createOperationRows(db: Database): OperationRows {
  const add = db.prepare<OperationRow>(`INSERT INTO operation ${operationColumns.inserted}`);
  const select = `SELECT ${operationColumns.selected} FROM operation WHERE owner = ?`;
  const find = db.prepare<[string, string], OperationRow>(`${select} AND id = ?`);
  const findByKey = db.prepare<[string, string], OperationRow>(`${select} AND idempotency_key = ?`);
  const answer = db.prepare<[string, string]>('UPDATE operation SET answer = ?, payload = NULL WHERE id = ?');
  const forgetOld = db.prepare<[number]>('DELETE FROM operation WHERE committed_at_ms < ?');
  const keepNewest = db.prepare<[string, number]>(`
    DELETE FROM operation WHERE id IN (
      SELECT id FROM operation WHERE owner = ? ORDER BY committed_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`);
  return {
    ...createApprovalRows(db),
    addOperation: (row) => void add.run(row),
    operation: (owner, id) => find.get(owner, id) ?? null,
    operationByKey: (owner, key) => findByKey.get(owner, key) ?? null,
    answer: (id, text) => void answer.run(text, id),
    pruneOperations(owner, { committedBeforeMs, maxPerOwner }) {
      forgetOld.run(committedBeforeMs);
      keepNewest.run(owner, maxPerOwner);
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

/** Time for which a used approval outlives its end, so that a late question about its commit is answered. */
const usedRetentionMs = 60 * 60 * 1000;

function createApprovalRows(db: Database): ApprovalRows {
  const addApproval = db.prepare<StoredApproval>(`INSERT INTO approval ${approvalColumns.inserted}`);
  const addFile = db.prepare<[string, Uint8Array]>(
    'INSERT INTO approval_file (approval_id, bytes) VALUES (?, ?)',
  );
  const findApproval = db.prepare<[string], StoredApproval>(
    `SELECT ${approvalColumns.selected} FROM approval WHERE id = ?`,
  );
  const file = db.prepare<[string], { bytes: Uint8Array }>(
    'SELECT bytes FROM approval_file WHERE approval_id = ?',
  );
  const use = db.prepare<[string]>('UPDATE approval SET used = 1 WHERE id = ? AND used = 0');
  const dropFile = db.prepare<[string]>('DELETE FROM approval_file WHERE approval_id = ?');
  const waiting = db.prepare<[string, number], WaitingApprovals>(`
    SELECT count(*) FILTER (WHERE owner = ?) AS ofOwner, count(approval_file.approval_id) AS uploads,
      CAST(total(octet_length(payload)) AS INTEGER) AS payloadBytes
    FROM approval LEFT JOIN approval_file ON approval_file.approval_id = approval.id
    WHERE uid = ? AND used = 0`);
  const prune = db.prepare<[{ nowMs: number }]>(`
    DELETE FROM approval WHERE expires_at_ms <= @nowMs AND (used = 0 OR expires_at_ms <= @nowMs - ${usedRetentionMs})`);
  return {
    addApproval(row, staged) {
      addApproval.run({ ...row, used: 0 });
      if (staged !== null) addFile.run(row.id, staged);
    },
    approval(id) {
      const row = findApproval.get(id);
      return row === undefined ? null : { ...row, used: row.used === 1 };
    },
    staged: (approvalId) => file.get(approvalId)?.bytes ?? null,
    useApproval(id) {
      const isFirst = use.run(id).changes === 1;
      dropFile.run(id);
      return isFirst;
    },
    waiting: (uid, owner) => waiting.get(owner, uid) ?? { ofOwner: 0, uploads: 0, payloadBytes: 0 },
    pruneApprovals: (nowMs) => void prune.run({ nowMs }),
  };
}

export function createPictureRows(db: Database): PictureRows {
  const add = db.prepare<[string, string, number, number, Uint8Array]>(`
    INSERT INTO picture (sha256, content_type, width, height, bytes) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO NOTHING`);
  const own = db.prepare<[number, string]>(`
    INSERT INTO picture_owner (uid, picture_id) SELECT ?, id FROM picture WHERE sha256 = ?
    ON CONFLICT DO NOTHING`);
  const find = db.prepare<[number, string], Picture>(`
    SELECT id, sha256, content_type AS contentType, width, height, length(bytes) AS bytes
    FROM picture JOIN picture_owner ON picture_id = id WHERE uid = ? AND sha256 = ?`);
  const content = db.prepare<[string], { contentType: string; content: Uint8Array }>(
    'SELECT content_type AS contentType, bytes AS content FROM picture WHERE sha256 = ?',
  );
  const usage = db.prepare<[number], { pictures: number; bytes: number }>(`
    SELECT count(*) AS pictures, CAST(total(length(bytes)) AS INTEGER) AS bytes
    FROM picture JOIN picture_owner ON picture_id = id WHERE uid = ?`);
  return {
    add(uid, { sha256, contentType, width, height, content: bytes }) {
      add.run(sha256, contentType, width, height, bytes);
      own.run(uid, sha256);
    },
    find: (uid, sha256) => find.get(uid, sha256) ?? null,
    content: (sha256) => content.get(sha256) ?? null,
    usage: (uid) => usage.get(uid) ?? { pictures: 0, bytes: 0 },
  };
}
