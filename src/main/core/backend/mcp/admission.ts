import type { IncomingCall } from '#core/mcp-server/index.ts';
import { createRecentMap } from '#core/platform/recent-map.ts';
import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import {
  type RemotePrincipal,
  principalKeyOf,
  type Scope,
  defaultScope,
  hasModule,
  hasScopes,
  scopeMissing,
  type RemoteTool,
  type Requirements,
} from '../remote-call/tool.ts';
import type { PromptCatalogue } from './prompts.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';
import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import { bearerToken } from '#core/platform/loopback/requests.ts';
import type { MemberTokens } from '../authentication.ts';
import type { BackendService } from '../service.ts';

interface Admission {
  principal: RemotePrincipal;
  call: IncomingCall;
  calls: Quota;
  operations: Quota;
  target: Requirements | null;
  tool: RemoteTool | null;
  onCommit(args: JsonObject): void;
}

/** Checks of every request, in this order. A failure becomes an HTTP answer (contract §7.3). */
const checks: readonly ((admission: Admission) => void)[] = [
  ({ calls, principal }) => calls.take(principal.key),
  ({ principal }) => requireScopes(principal, { scopes: [defaultScope] }),
  requireScopesOfTarget,
  ({ operations, principal, tool }) =>
    void (tool !== null && tool.kind !== 'read' && operations.take(principal.key)),
  ({ tool, call, onCommit }) => void (tool?.kind === 'commit' && onCommit(argumentsIn(call.params))),
];

/** Admits or refuses requests: `quota_exceeded` (429), `scope_missing` (403) with `data.scope`. Notifications use no quota. */
export function createAdmission(parts: {
  clock: Clock;
  quotas: RemoteQuotas;
  tools: ToolCatalogue;
  prompts: PromptCatalogue;
  /** Called last for every call of a committing tool; may refuse the call by throwing. */
  onCommit(args: JsonObject): void;
}): (principal: RemotePrincipal, call: IncomingCall) => void {
  const { clock, quotas, tools, prompts, onCommit } = parts;
  const calls = createQuota({ perMinute: quotas.callsPerMinute, clock });
  const operations = createQuota({ perMinute: quotas.operationsPerMinute, clock });
  return (principal, call) => {
    if (call.method.startsWith('notifications/')) return;
    const tool = call.method === 'tools/call' ? tools.find(nameIn(call.params)) : null;
    const prompt = call.method === 'prompts/get' ? prompts.find(nameIn(call.params)) : null;
    const admission = { principal, call, calls, operations, tool, target: tool ?? prompt, onCommit };
    for (const check of checks) check(admission);
  };
}

function argumentsIn({ arguments: args }: JsonObject): JsonObject {
  return isJsonObject(args) ? args : {};
}

function nameIn(params: JsonObject): string {
  const { name } = params;
  return typeof name === 'string' ? name : '';
}

/** Ignores tools whose module the account lacks. The call itself refuses them, because more scopes would not help. */
function requireScopesOfTarget({ principal, target }: Admission): void {
  if (target !== null && hasModule(principal, target)) requireScopes(principal, target);
}

function requireScopes(principal: RemotePrincipal, needed: Pick<Requirements, 'scopes'>): void {
  if (!hasScopes(principal, needed)) throw scopeMissing(principal, needed);
}

/** Calls of one principal per minute; `null` switches the quota off. */
export interface RemoteQuotas {
  callsPerMinute: number | null;
  operationsPerMinute: number | null;
}

interface Quota {
  /** Counts one call; fails with `quota_exceeded` and `data.retryAfterSeconds` if none is left. */
  take(key: string): void;
}

interface Bucket {
  left: number;
  atMs: number;
}

const minuteMs = 60_000;

const maxBuckets = 5_000;

/** A token bucket per key with one minute's calls, refilled evenly; `null` means no quota. Setting the clock has no effect. */
export function createQuota({ perMinute, clock }: { perMinute: number | null; clock: Clock }): Quota {
  if (perMinute === null) return { take: () => {} };
  const perMs = perMinute / minuteMs;
  const buckets = createRecentMap<string, Bucket>(maxBuckets);
  return {
    take(key) {
      const atMs = clock.monotonicMs();
      const known = buckets.get(key) ?? { left: perMinute, atMs };
      const left = Math.min(perMinute, known.left + (atMs - known.atMs) * perMs);
      const hasCapacity = left >= 1;
      buckets.set(key, { left: hasCapacity ? left - 1 : left, atMs });
      if (hasCapacity) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1000));
      throw new AppError('quota_exceeded', { data: { retryAfterSeconds } });
    },
  };
}

/** The shape of a JWT (RFC 7519 §3). Opaque tokens of the authorization server contain no dots. */
const jwtPattern = /^[^.]+\.[^.]+\.[^.]*$/;

/**
 * Authenticates the bearer token (contract §5.3). Fails with `token_invalid`, `forbidden`, `menu_denied` or `storage_failed`.
 */
export function createRemoteAuthentication(
  service: BackendService,
  parts: { oauth: AuthorizationServer; tokens: MemberTokens; allowDirectJwt: boolean },
): (request: IncomingMessage) => Promise<RemotePrincipal> {
  return async (request) => {
    const token = bearerToken(request);
    if (token === null) throw new AppError('token_invalid');
    const isDirect = parts.allowDirectJwt && jwtPattern.test(token);
    const principal = isDirect
      ? directPrincipal(service, parts.tokens, token)
      : await grantPrincipal(service, parts.oauth, token);
    if (!principal.member.mcpMenu) throw new AppError('menu_denied');
    return principal;
  };
}

/** The client id of direct JWTs, because no registered client stands behind them. */
const directClientId = 'direct-jwt';

/** Excludes `offline_access`, because the token ends with its sign-in. */
const directScopes: readonly Scope[] = ['svc:read', 'svc:write', 'svc:upload'];

/** Authenticates with a member access JWT (contract §5.3). Fails with `token_invalid`, or with `forbidden` for another role. */
function directPrincipal(
  { store, tenant }: BackendService,
  tokens: MemberTokens,
  token: string,
): RemotePrincipal {
  const claims = tokens.verify(token, 'remote');
  if (claims?.tenant !== tenant.id) throw new AppError('token_invalid');
  if (claims.role !== 'member') throw new AppError('forbidden');
  const member = store.read.member(claims.uid);
  if (member === null) throw new AppError('token_invalid');
  return {
    key: principalKeyOf(member.uid, directClientId),
    grantId: null,
    member,
    clientId: directClientId,
    scopes: new Set(directScopes),
    identity: 'direct-jwt',
  };
}

async function grantPrincipal(
  { store }: BackendService,
  oauth: AuthorizationServer,
  token: string,
): Promise<RemotePrincipal> {
  const principal = await oauth.authenticate<RemotePrincipal>(
    token,
    ({ subject, clientId, grantId, scopes }) => {
      const member = store.read.member(Number(subject));
      if (member === null) return null;
      return {
        key: principalKeyOf(member.uid, clientId),
        grantId,
        member,
        clientId,
        scopes,
        identity: 'oauth',
      };
    },
  );
  if (principal === null) throw new AppError('token_invalid');
  return principal;
}
