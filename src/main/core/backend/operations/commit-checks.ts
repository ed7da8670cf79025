import type { ApprovalRow, BackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { RemotePrincipal } from '../mcp/principal.ts';
import type { CommitRequest } from './commit.ts';
import { requirePermissions } from './write-kind.ts';
import type { WriteKind } from './write-kind.ts';

/** What a commit must pass once its approval is found, in this order. */
export const approvalChecks: readonly ((attempt: Attempt) => void)[] = [
  rejectExpired,
  rejectUsed,
  rejectChanged,
  rejectForbidden,
  rejectMoved,
];

/** A commit on its way, with the approval that it names. */
export interface Attempt {
  store: BackendStore;
  nowMs: number;
  principal: RemotePrincipal;
  request: CommitRequest;
  approval: ApprovalRow;
  kind: WriteKind;
}

/**
 * The approval, if it was given to this account, client and grant. Fails with `approval_invalid`: one that is absent and
 * one of somebody else, or of a grant that has ended, look the same.
 */
export function loadApproval(store: BackendStore, principal: RemotePrincipal, id: string): ApprovalRow {
  const approval = store.operations.approval(id);
  const isTheirs = approval?.owner === principal.key && approval.grantId === principal.grantId;
  if (approval === null || !isTheirs) throw new AppError('approval_invalid');
  return approval;
}

/** Explicit confirmation (contract §4.3, step 3). Fails with `confirmation_missing`. */
export function requireConfirmation({ confirmed }: CommitRequest): void {
  if (!confirmed) throw new AppError('confirmation_missing');
}

/** An approval ends with its time. Fails with `approval_invalid`. */
function rejectExpired({ approval, nowMs }: Attempt): void {
  if (nowMs >= approval.expiresAtMs) throw new AppError('approval_invalid');
}

/** An approval is good for one write. Fails with `approval_invalid`. */
function rejectUsed({ approval }: Attempt): void {
  if (approval.used) throw new AppError('approval_invalid');
}

/** Fingerprint and payload are those that were prepared; key order means nothing, every value does. Fails with `approval_mismatch`. */
export function rejectChanged({ approval, request }: Attempt): void {
  const isSame =
    request.fingerprint === approval.fingerprint && canonicalJson(request.payload) === approval.payload;
  if (!isSame) throw new AppError('approval_mismatch');
}

/** What could be prepared ten minutes ago may be forbidden now. Fails as `requirePermissions`. */
function rejectForbidden({ store, principal, kind }: Attempt): void {
  requirePermissions(store.read, { principal, kind });
}

/** The state is the one that the change was prepared from. Fails with `state_moved`. */
function rejectMoved({ approval, kind, principal, request }: Attempt): void {
  if (kind.revision(principal, request.payload) !== approval.revision) throw new AppError('state_moved');
}
