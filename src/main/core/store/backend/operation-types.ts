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

/** A write that was committed. */
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
  /** The whole answer as JSON text; null until the verification read is done. */
  answer: string | null;
}

/** How many are kept, and how long. */
interface OperationBounds {
  /** Operations from before this time are forgotten. */
  committedBeforeMs: number;
  mostPerOwner: number;
}

/** The approvals that were neither committed nor forgotten. */
export interface WaitingApprovals {
  /** Of the one principal. */
  ofOwner: number;
  /** Those of the account that keep the bytes of an upload. */
  uploads: number;
  /** The size of all payloads of the account, in bytes. */
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
  /** Stores the answer of a committed operation. */
  answer(id: string, answer: string): void;
  pruneOperations(owner: string, bounds: OperationBounds): void;
}

/** A picture that is published. */
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
  /** A picture of this account. */
  find(uid: number, sha256: string): Picture | null;
  /** The served bytes, of any owner. */
  content(sha256: string): { contentType: string; content: Uint8Array } | null;
  /** The pictures of an account and their size. */
  usage(uid: number): { pictures: number; bytes: number };
}
