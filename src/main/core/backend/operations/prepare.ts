import { z } from 'zod';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemoteTool, RemotePrincipal } from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { asStored } from '../uploads/routes.ts';
import {
  requirementsOf,
  hashOf,
  requirePermissions,
  type WriteKind,
  type PreparedWrite,
} from './write-kind.ts';

const approvalMs = 10 * 60 * 1000;

const maxWaiting = 200;

const maxWaitingUploads = 20;

/** The most bytes of all waiting payloads of one account. */
const maxWaitingBytes = 64 * 1024 * 1024;

const approval = z.strictObject({
  id: z.string(),
  fingerprint: z.string().describe('SHA-256 of what is approved; bring it back unchanged.'),
  expiresAt: z.string().describe('ISO 8601, UTC.'),
});

const diff = z.array(
  z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() }).describe('Plain values.'),
);

const howToGoOn =
  'Show diff and warnings to a person; only if that person agrees, call svc_commit with approval and payload unchanged.';

/** Prepares a write of any kind, as the tools do. */
export interface PreparesWrites {
  /**
   * Makes an approval for a write of this kind; what a `svc_prepare_…` tool answers as `data`. It lasts ten minutes, or as
   * long as `validForMs` says.
   */
  prepare(
    principal: RemotePrincipal,
    asked: { kind: string; args: JsonObject; validForMs?: number },
  ): JsonObject;
}

export function prepareTool(service: BackendService, kind: WriteKind): RemoteTool {
  const { name, title, description, input, payload } = kind.tool;
  return {
    name,
    title,
    description: `${description} Changes nothing. ${howToGoOn}`,
    kind: 'prepare',
    ...requirementsOf(kind),
    input,
    output: z.strictObject({ approval, payload, diff, warnings: z.array(z.string()) }),
    run: (principal, args) => ({ data: prepareWrite(service, { principal, kind, args }) }),
  };
}

interface Preparation {
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
    // The number of tasks already bounds the writes that come due by themselves.
    if (validForMs === undefined) requireRoom(service, principal, write);
    const { target, revision, payload, staged } = write;
    const owner = { uid: principal.member.uid, owner: principal.key, grantId: principal.grantId };
    const row = {
      id,
      ...owner,
      kind: kind.name,
      target,
      payload: canonicalJson(asStored(payload)),
      revision,
    };
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
    payload: asStored(write.payload),
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
    ofOwner >= maxWaiting ||
    payloadBytes >= maxWaitingBytes ||
    (staged !== undefined && uploads >= maxWaitingUploads);
  if (!isFull) return;
  throw new AppError('too_many_waiting', {
    message: 'Too many prepared changes wait. Commit some of them, or wait until they expire.',
  });
}
