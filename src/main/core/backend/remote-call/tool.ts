import type { z } from 'zod';
import type { CallContext, Principal } from '#core/mcp-server/index.ts';
import type { Module, Member } from '#core/store/backend/index.ts';
import type { ExactPagination } from '#shared/contract/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';

/** The answer of a tool: becomes `{status: 'success', data, sourcePagination?}`. */
export interface ToolAnswer {
  data: JsonValue;
  /** The JSON text of `data`, exactly as `JSON.stringify` would write it, where it is at hand. */
  dataText?: string;
  sourcePagination?: ExactPagination;
}

/** The requirements of a tool, prompt or resource, besides `svc:read`, which all of them need. */
export interface Requirements {
  /** Needed for every call; a token without them is answered with 403. */
  scopes: readonly Scope[];
  /** One of these must be the member's; empty for all members. */
  modules: readonly Module[];
}

/** One tool of the service. A refusal is an `AppError`: the caller gets it as `isError` with its code and status. */
export interface RemoteTool extends Requirements {
  name: string;
  title: string;
  description: string;
  kind: 'read' | 'prepare' | 'commit';
  /** Hints of the protocol beyond what follows from the kind. */
  annotations?: { destructiveHint?: boolean; idempotentHint?: boolean };
  /** An argument that is not named here is refused. */
  input: z.ZodObject;
  /** Arguments that bring back what this service has given, and are refused unless they do: not searched for credentials. */
  givenHere?: readonly string[];
  output: z.ZodType;
  /** Gets the arguments as `input` has read them, defaults filled in. */
  run(principal: RemotePrincipal, args: JsonObject, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

/** A tool whose arguments have the type that its own schema gives. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<RemoteTool, 'input' | 'run'> & {
    input: Input;
    run(
      principal: RemotePrincipal,
      args: z.output<Input>,
      context: CallContext,
    ): ToolAnswer | Promise<ToolAnswer>;
  },
): RemoteTool {
  // The caller has read the arguments with `input`.
  return {
    ...tool,
    run: (principal, args, context) => tool.run(principal, args as z.output<Input>, context),
  };
}

/** Every call reads, and a token has this scope by default (contract §5.3). */
export const everybodysScope: Scope = 'svc:read';

export interface Entitled {
  scopes: ReadonlySet<string>;
  member: Pick<Member, 'modules'>;
}

export function scopesOf({ scopes }: Pick<Requirements, 'scopes'>): readonly Scope[] {
  return scopes.includes(everybodysScope) ? scopes : [everybodysScope, ...scopes];
}

/** True if the token has every scope that this needs. */
export function hasScopes(entitled: Entitled, needed: Pick<Requirements, 'scopes'>): boolean {
  return scopesOf(needed).every((scope) => entitled.scopes.has(scope));
}

/** The refusal of a token without these scopes, which names what it has together with what it lacks (RFC 6750 §3.1). */
export function scopeMissing(entitled: Entitled, needed: Pick<Requirements, 'scopes'>): AppError {
  const all = new Set([...entitled.scopes, ...scopesOf(needed)]);
  return new AppError('scope_missing', { data: { scope: [...all].join(' ') } });
}

/** True if the account has one of the modules that this belongs to. */
export function hasModule(entitled: Entitled, { modules }: Pick<Requirements, 'modules'>): boolean {
  return modules.length === 0 || modules.some((module) => entitled.member.modules.includes(module));
}

/** True if a call would be allowed: only then it is listed. */
export function isOffered(entitled: Entitled, needed: Requirements): boolean {
  return hasScopes(entitled, needed) && hasModule(entitled, needed);
}

export function paginationOf(page: {
  offset: number;
  limit: number;
  total: number;
  items: number;
}): ExactPagination {
  const { offset, limit, total, items } = page;
  const next = offset + items;
  const nextOffset = items > 0 && next < total ? next : null;
  return {
    complete: nextOffset === null,
    offset,
    limit,
    total,
    totalExact: true,
    itemsExact: true,
    nextOffset,
  };
}

/** The scopes of the service (contract §5.3). */
export type Scope = 'svc:read' | 'svc:write' | 'svc:upload' | 'offline_access';

export interface RemotePrincipal extends Principal {
  member: Member;
  clientId: string;
  scopes: ReadonlySet<string>;
  identity: 'oauth' | 'direct-jwt';
}

/** The key of a principal: the account, then the client. */
export function keyOf(uid: number, clientId: string): string {
  return `${uid} ${clientId}`;
}
