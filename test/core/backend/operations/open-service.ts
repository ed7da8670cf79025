import { demoAccounts, type DemoAccounts } from '#core/backend/demo-data/credentials.ts';
import { makeDemoData } from '#core/backend/demo-data/make-demo-data.ts';
import { principalKeyOf, type RemotePrincipal } from '#core/backend/remote-call/tool.ts';
import { type BackendService, tenants } from '#core/backend/service.ts';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import type { FieldMove } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The answer of `svc_prepare_…`. */
export interface Prepared {
  approval: { id: string; fingerprint: string; expiresAt: string };
  payload: JsonObject;
  diff: FieldMove[];
  warnings: string[];
}

/** A caller of the service: an account and its client. */
export interface PrincipalOptions {
  part?: keyof DemoAccounts;
  clientId?: string;
  grantId?: string | null;
  scopes?: readonly string[];
}

const everyScope = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'];

/** A call context without a client that listens. */
export const quietContext: CallContext = {
  signal: new AbortController().signal,
  isEnding: false,
  sessionId: 'session',
  client: null,
  wantsProgress: false,
  progress: async () => {},
  log: async () => {},
  ask: async () => ({}),
  closeStream: () => {},
};

/** Returns the arguments that commit a prepared change. */
export function commitOf({ approval, payload }: Prepared, more: JsonObject = {}): JsonObject {
  const { id: approvalId, fingerprint } = approval;
  return { approvalId, fingerprint, payload, idempotencyKey: `key-${approvalId}`, confirmed: true, ...more };
}

/** Opens a service on this file, which the first opening fills. The caller disposes the store. */
export function openService(
  file: string,
  { clock, campaigns }: { clock: Clock; campaigns: number },
): BackendService {
  const logger = silentLogger;
  const tenant = tenants.northwind;
  const store = openBackendStore({ file, clock, logger });
  if (store.read.isEmpty()) makeDemoData(store, { tenant, nowMs: clock.nowMs(), campaigns });
  const ids = createIds(() => clock.nowMs());
  return { store, tenant, context: store.read.tenant(), clock, ids, logger };
}

/** Returns a member as principal, with every scope by default. */
export function principalOf({ store }: BackendService, options: PrincipalOptions = {}): RemotePrincipal {
  const { part = 'buyer', clientId = 'client', grantId = 'grant', scopes = everyScope } = options;
  const account = demoAccounts('northwind')[part];
  const member = store.read.member(account.uid) ?? account;
  const key = principalKeyOf(member.uid, clientId);
  return { key, grantId, member, clientId, scopes: new Set(scopes), identity: 'oauth' };
}
