import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Module, BackendReader } from '#core/store/backend/index.ts';
import { runs, type ServiceMoment } from '#shared/campaign/index.ts';
import type { FieldMove } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import {
  type RemotePrincipal,
  type Scope,
  hasModule,
  hasScopes,
  type Requirements,
  type RemoteTool,
  scopeMissing,
} from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { storedText, asStored } from '../uploads/picture-address.ts';

export interface PreparedWrite {
  /** For example `campaign:104201`. */
  target: string;
  /** The commit has to send this payload unchanged. */
  payload: JsonObject;
  diff: readonly FieldMove[];
  warnings: readonly string[];
  revision: string;
  /** Bytes that are too large for the payload, for example of a picture; stored with the approval. */
  staged?: Uint8Array;
}

/** The result of the read after a write (contract §4.3, step 6). */
export interface Verification {
  stored: 'all' | 'part' | 'none';
  data: JsonObject;
}

export interface PrepareTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  payload: z.ZodType;
}

export interface WriteKind {
  name: string;
  tool: PrepareTool;
  /** Scopes required in addition to `svc:read` and `svc:write`. */
  scopes: readonly Scope[];
  /** The member needs at least one of these modules. */
  modules: readonly Module[];
  prepare(principal: RemotePrincipal, args: JsonObject): PreparedWrite;
  /** Returns null if the target no longer exists. */
  revision(principal: RemotePrincipal, payload: JsonObject): string | null;
  /** Runs inside the commit's transaction, after all checks. */
  apply(principal: RemotePrincipal, payload: JsonObject, staged: Uint8Array | null): void;
  verify(principal: RemotePrincipal, payload: JsonObject): Verification;
}

export const writeScopes: readonly Scope[] = ['svc:read', 'svc:write'];

function requirementsOf({ scopes, modules }: Pick<WriteKind, 'scopes' | 'modules'>): Requirements {
  return { scopes: [...new Set([...writeScopes, ...scopes])], modules };
}

/** Fails with `menu_denied`, `scope_missing` or `module_denied`. */
export function requirePermissions(
  read: BackendReader,
  { principal, kind }: { principal: RemotePrincipal; kind: WriteKind },
): void {
  const needed = requirementsOf(kind);
  const member = read.member(principal.member.uid);
  if (member === null || !member.mcpMenu) throw new AppError('menu_denied');
  if (!hasScopes(principal, needed)) throw scopeMissing(principal, needed);
  if (!hasModule({ scopes: principal.scopes, member }, needed)) throw new AppError('module_denied');
}

export function hashOf(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

const maxNamed = 5;

const active = 1;

export function budgetWarnings(before: JsonObject, after: JsonObject): string[] {
  const becomes = (field: string, value: number): boolean =>
    after[field] === value && before[field] !== value;
  return [
    ...(becomes('enable_budget', 0)
      ? ['Budget limits are switched off: daily and total budget no longer count.']
      : []),
    ...(becomes('t_revenue', 0) ? ['A total budget of 0 means unlimited.'] : []),
  ];
}

export function flightWarnings(campaigns: readonly JsonObject[], today: ServiceMoment): string[] {
  const endedCampaigns = campaigns.filter(
    ({ status, enable_time: hasFlight, expire }) =>
      runs(status) && hasFlight === 1 && typeof expire === 'string' && expire !== '' && expire < today.date,
  );
  if (endedCampaigns.length === 0) return [];
  const named = endedCampaigns.slice(0, maxNamed).map(({ cid }) => Number(cid));
  const more =
    endedCampaigns.length > named.length ? ` and ${endedCampaigns.length - named.length} more` : '';
  const noun = endedCampaigns.length === 1 ? 'campaign' : 'campaigns';
  return [`The flight of ${noun} ${named.join(', ')}${more} is over: nothing will be delivered.`];
}

export function balanceWarnings(status: unknown, balanceMicros: number): string[] {
  if (status !== active) return [];
  return [`The account has ${defaultFormats.money(BigInt(balanceMicros))} available.`];
}

/** Returns null if a campaign does not exist or belongs to another member. */
export function revisionOf(read: BackendReader, uid: number, cids: readonly number[]): string | null {
  const hash = createHash('sha256');
  for (const cid of cids) {
    const text = read.payload(uid, cid);
    if (text === null) return null;
    const stored = storedText(text);
    hash.update(`${cid} ${stored.length} ${stored}\n`);
  }
  return hash.digest('hex');
}

const approvalLifetimeMs = 10 * 60 * 1000;

const maxWaiting = 200;

const maxWaitingUploads = 20;

const maxWaitingBytes = 64 * 1024 * 1024;

const approval = z.strictObject({
  id: z.string(),
  fingerprint: z.string().describe('SHA-256 of what is approved; bring it back unchanged.'),
  expiresAt: z.string().describe('ISO 8601, UTC.'),
});

const diff = z.array(
  z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() }).describe('Plain values.'),
);

const howToContinue =
  'Show diff and warnings to a person; only if that person agrees, call svc_commit with approval and payload unchanged.';

export interface WritePreparer {
  /** The approval expires after ten minutes, or after `validForMs`. */
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
    description: `${description} Changes nothing. ${howToContinue}`,
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

/** Steps 1 and 2 of contract §4.3. Fails as the kind does, as {@link requirePermissions} does, or with `too_many_waiting`. */
export function prepareWrite(service: BackendService, preparation: Preparation): JsonObject {
  const { principal, kind, args, validForMs } = preparation;
  const { store, clock, ids } = service;
  requirePermissions(store.read, preparation);
  const write = kind.prepare(principal, args);
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + (validForMs ?? approvalLifetimeMs);
  const id = ids.id();
  const approval = { principal, kind, write, expiresAtMs, nonce: ids.secret() };
  const fingerprint = fingerprintOf(approval);
  store.transaction(() => {
    store.operations.pruneApprovals(nowMs);
    // Changes of scheduled tasks pass `validForMs`; the limit on tasks already bounds their number.
    if (validForMs === undefined) requireCapacity(service, principal, write);
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

function requireCapacity(
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
