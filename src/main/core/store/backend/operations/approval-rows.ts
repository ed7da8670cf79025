import type { Database } from '../../sqlite/index.ts';
import type { ApprovalRow, OperationRows, WaitingApprovals } from './types.ts';

interface Row {
  id: string;
  uid: number;
  owner: string;
  grant_id: string | null;
  kind: string;
  target: string;
  payload: string;
  revision: string;
  fingerprint: string;
  expires_at_ms: number;
  used: number;
}

type ApprovalRows = Pick<
  OperationRows,
  'addApproval' | 'approval' | 'staged' | 'useApproval' | 'waiting' | 'pruneApprovals'
>;

/** How long a used approval outlives its time: whoever waits for its commit may look a little later. */
const usedKeptMs = 60 * 60 * 1000;

/** The approvals, and the bytes that wait with them. */
export function createApprovalRows(db: Database): ApprovalRows {
  const add = db.prepare<Row>(`
    INSERT INTO approval (id, uid, owner, grant_id, kind, target, payload, revision, fingerprint, expires_at_ms, used)
    VALUES (:id, :uid, :owner, :grant_id, :kind, :target, :payload, :revision, :fingerprint, :expires_at_ms, :used)`);
  const addFile = db.prepare<[string, Uint8Array]>(
    'INSERT INTO approval_file (approval_id, bytes) VALUES (?, ?)',
  );
  const find = db.prepare<[string], Row>('SELECT * FROM approval WHERE id = ?');
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
    DELETE FROM approval WHERE expires_at_ms <= @nowMs AND (used = 0 OR expires_at_ms <= @nowMs - ${usedKeptMs})`);
  return {
    addApproval(row, staged) {
      add.run(toRow(row));
      if (staged !== null) addFile.run(row.id, staged);
    },
    approval(id) {
      const row = find.get(id);
      return row === undefined ? null : fromRow(row);
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

function toRow({ grantId, expiresAtMs, ...row }: Omit<ApprovalRow, 'used'>): Row {
  return { ...row, grant_id: grantId, expires_at_ms: expiresAtMs, used: 0 };
}

function fromRow({ grant_id: grantId, expires_at_ms: expiresAtMs, used, ...row }: Row): ApprovalRow {
  return { ...row, grantId, expiresAtMs, used: used === 1 };
}
