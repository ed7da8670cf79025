import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemotePrincipal } from '../mcp/principal.ts';
import type { BackendService } from '../service.ts';
import { hashOf } from './hash.ts';
import { approvalMs, mostWaiting, mostWaitingBytes, mostWaitingUploads } from './limits.ts';
import { requirePermissions } from './permissions.ts';
import type { PreparedWrite, WriteKind } from './write-kind.ts';

/** What is asked for when a write is prepared. */
export interface Preparation {
  principal: RemotePrincipal;
  kind: WriteKind;
  args: JsonObject;
  validForMs?: number;
}

/**
 * Prepares a write and keeps its approval: `{approval: {id, fingerprint, expiresAt}, payload, diff, warnings}` (contract
 * §4.3, steps 1 and 2). Changes nothing else. Fails as the kind does, as `requirePermissions`, or with `too_many_waiting`.
 */
export function prepareWrite(service: BackendService, preparation: Preparation): JsonObject {
  const { principal, kind, args, validForMs } = preparation;
  const { store, clock, ids } = service;
  requirePermissions(store.read, preparation);
  const write = kind.prepare(principal, args);
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + (validForMs ?? approvalMs);
  const id = ids.id();
  const approval = { principal, kind, write, expiresAtMs, nonce: ids.secret() };
  const fingerprint = fingerprintOf(approval);
  store.transaction(() => {
    store.operations.pruneApprovals(nowMs);
    // What comes due by itself is bounded by the tasks that there may be.
    if (validForMs === undefined) requireRoom(service, principal, write);
    const { target, revision, payload, staged } = write;
    const owner = { uid: principal.member.uid, owner: principal.key, grantId: principal.grantId };
    const row = { id, ...owner, kind: kind.name, target, payload: canonicalJson(payload), revision };
    store.operations.addApproval({ ...row, fingerprint, expiresAtMs }, staged ?? null);
  });
  return {
    approval: { id, fingerprint, expiresAt: new Date(expiresAtMs).toISOString() },
    payload: write.payload,
    diff: write.diff.map(({ field, from, to }) => ({ field, from, to })),
    warnings: [...write.warnings],
  };
}

/** SHA-256 over RFC 8785 of everything that the approval is for; no two approvals have the same one. */
function fingerprintOf(approval: {
  principal: RemotePrincipal;
  kind: WriteKind;
  write: PreparedWrite;
  expiresAtMs: number;
  nonce: string;
}): string {
  const { principal, kind, write, expiresAtMs, nonce } = approval;
  return hashOf({
    kind: kind.name,
    target: write.target,
    payload: write.payload,
    revision: write.revision,
    uid: principal.member.uid,
    clientId: principal.clientId,
    grantId: principal.grantId,
    expiresAt: expiresAtMs,
    nonce,
  });
}

function requireRoom(
  { store }: BackendService,
  { member, key }: RemotePrincipal,
  { staged }: PreparedWrite,
): void {
  const { ofOwner, uploads, payloadBytes } = store.operations.waiting(member.uid, key);
  const isFull =
    ofOwner >= mostWaiting ||
    payloadBytes >= mostWaitingBytes ||
    (staged !== undefined && uploads >= mostWaitingUploads);
  if (!isFull) return;
  throw new AppError('too_many_waiting', {
    message: 'Too many prepared changes wait. Commit some of them, or wait until they expire.',
  });
}
