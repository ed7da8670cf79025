import { z } from 'zod';
import type { ApprovalRow, BackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { RemotePrincipal } from '../remote-call/tool.ts';
import { asStored } from '../uploads/picture-address.ts';
import { hashOf, requirePermissions, type WriteKind } from './write-kind.ts';

const keyPattern = /^[\x21-\x7e]{1,200}$/;

export const idempotencyKey = z
  .string()
  .regex(keyPattern, 'idempotencyKey has 1 to 200 visible ASCII characters, without spaces.');

/** Contract §4.3, steps 3 to 5. */
export const commitInput = z.strictObject({
  approvalId: z.string().min(1).max(200),
  fingerprint: z.string().min(1).max(200),
  payload: z.record(z.string(), z.unknown()).describe('Unchanged, as the prepare gave it.'),
  idempotencyKey: idempotencyKey.describe(
    'Unique for this commit; the same one again gives the same answer.',
  ),
  // Optional, so that a commit without confirmation is refused as unconfirmed instead of malformed.
  confirmed: z.boolean().optional().describe('Must be true: a person has seen the diff and agreed.'),
});

export interface CommitRequest {
  approvalId: string;
  fingerprint: string;
  payload: JsonObject;
  idempotencyKey: string;
  confirmed: boolean;
}

export function commitRequestOf(args: z.output<typeof commitInput>): CommitRequest {
  return { ...args, payload: args.payload as JsonObject, confirmed: args.confirmed === true };
}

export function requestHashOf({ idempotencyKey: _key, ...request }: CommitRequest): string {
  return hashOf({ ...request, payload: asStored(request.payload) });
}

/** Checks of a commit, in the order in which they run after the approval is found. */
export const approvalChecks: readonly ((attempt: CommitAttempt) => void)[] = [
  rejectExpired,
  rejectUsed,
  rejectChangedPayload,
  rejectForbidden,
  rejectOutdated,
];

export interface CommitAttempt {
  store: BackendStore;
  nowMs: number;
  principal: RemotePrincipal;
  request: CommitRequest;
  approval: ApprovalRow;
  kind: WriteKind;
}

/** Fails with `approval_invalid`, also for an approval of another account or grant. */
export function loadApproval(store: BackendStore, principal: RemotePrincipal, id: string): ApprovalRow {
  const approval = store.operations.approval(id);
  const isOwned = approval?.owner === principal.key && approval.grantId === principal.grantId;
  if (approval === null || !isOwned) throw new AppError('approval_invalid');
  return approval;
}

export function requireConfirmation({ confirmed }: CommitRequest): void {
  if (!confirmed) throw new AppError('confirmation_missing');
}

function rejectExpired({ approval: { id, expiresAtMs }, nowMs }: CommitAttempt): void {
  if (nowMs < expiresAtMs) return;
  const at = new Date(expiresAtMs).toISOString();
  throw new AppError('approval_invalid', {
    message: sentence`The approval ${id} expired at ${ownWords(at)}. Nothing was changed.`,
  });
}

function rejectUsed({ approval: { id, used } }: CommitAttempt): void {
  if (!used) return;
  throw new AppError('approval_invalid', {
    message: sentence`The approval ${id} was used: an approval is good for one commit. Nothing was changed.`,
  });
}

/** Accepts reordered keys, but no changed values. */
export function rejectChangedPayload({ approval, request }: CommitAttempt): void {
  const isUnchanged =
    request.fingerprint === approval.fingerprint &&
    canonicalJson(asStored(request.payload)) === approval.payload;
  if (!isUnchanged) throw new AppError('approval_mismatch');
}

/** Checks permissions again, because they may have changed since the prepare. */
function rejectForbidden({ store, principal, kind }: CommitAttempt): void {
  requirePermissions(store.read, { principal, kind });
}

function rejectOutdated({ approval, kind, principal, request }: CommitAttempt): void {
  if (kind.revision(principal, request.payload) !== approval.revision) throw new AppError('state_moved');
}
