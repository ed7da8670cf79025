import type { IncomingCall } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import type { PromptCatalogue } from './prompts.ts';
import { everybodysScope, hasModule, hasScopes, scopesOf } from '../remote-call/tool.ts';
import type { RemoteTool, Requirements } from '../remote-call/tool.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

/** One request on its way in. */
interface Admission {
  principal: RemotePrincipal;
  call: IncomingCall;
  calls: Quota;
  operations: Quota;
  /** The tool or prompt of the request, if there is one of its name. */
  target: Requirements | null;
  tool: RemoteTool | null;
  onCommit(args: JsonObject): void;
}

/** The checks of every request, in this order; failures are HTTP answers (contract §7.3). */
const checks: readonly ((admission: Admission) => void)[] = [
  ({ calls, principal }) => calls.take(principal.key),
  ({ principal }) => requireScopes(principal, { scopes: [everybodysScope] }),
  requireScopesOfTarget,
  ({ operations, principal, tool }) =>
    void (tool !== null && tool.kind !== 'read' && operations.take(principal.key)),
  ({ tool, call, onCommit }) => void (tool?.kind === 'commit' && onCommit(argumentsIn(call.params))),
];

/**
 * Lets requests in or refuses them: `quota_exceeded` (429), `scope_missing` (403) with `data.scope`, which names what the
 * token has together with what it lacks (RFC 6750 §3.1). Notifications are free.
 */
export function createAdmission(parts: {
  clock: Clock;
  quotas: RemoteQuotas;
  tools: ToolCatalogue;
  prompts: PromptCatalogue;
  /** Looks last at every call of a tool that commits; may refuse it. */
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

/** A tool that the account's modules exclude is refused in its answer: more scopes would not open it. */
function requireScopesOfTarget({ principal, target }: Admission): void {
  if (target !== null && hasModule(principal, target)) requireScopes(principal, target);
}

function requireScopes(principal: RemotePrincipal, needed: Pick<Requirements, 'scopes'>): void {
  if (hasScopes(principal, needed)) return;
  const all = [...new Set([...principal.scopes, ...scopesOf(needed)])];
  throw new AppError('scope_missing', { data: { scope: all.join(' ') } });
}

/** Number of calls of one principal per minute; `null` switches the quota off. */
export interface RemoteQuotas {
  callsPerMinute: number | null;
  /** Prepares and commits. */
  operationsPerMinute: number | null;
}

/** Limit on the number of requests. */
interface Quota {
  /** Counts one; fails with `quota_exceeded` and `data.retryAfterSeconds` when there is none left. */
  take(key: string): void;
}

interface Bucket {
  left: number;
  atMs: number;
}

const minuteMs = 60_000;

/** Maximum number of callers that are remembered; beyond it the one that was silent longest is forgotten. */
const maxBuckets = 5_000;

/**
 * A bucket for each key that holds a minute's worth and fills evenly. `null` is no quota. Setting the clock neither
 * fills nor empties a bucket.
 */
export function createQuota({ perMinute, clock }: { perMinute: number | null; clock: Clock }): Quota {
  if (perMinute === null) return { take: () => {} };
  const perMs = perMinute / minuteMs;
  const buckets = new Map<string, Bucket>();
  return {
    take(key) {
      const atMs = clock.monotonicMs();
      const known = buckets.get(key) ?? { left: perMinute, atMs };
      const left = Math.min(perMinute, known.left + (atMs - known.atMs) * perMs);
      const isEnough = left >= 1;
      // Deleted first, so that the map's order is the order of the latest calls.
      buckets.delete(key);
      buckets.set(key, { left: isEnough ? left - 1 : left, atMs });
      if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value ?? key);
      if (isEnough) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1000));
      throw new AppError('quota_exceeded', { data: { retryAfterSeconds } });
    },
  };
}
