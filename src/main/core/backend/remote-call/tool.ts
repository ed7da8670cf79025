import { z } from 'zod';
import type { CallContext, JsonText, Principal } from '#core/mcp-server/index.ts';
import type { Module, Member } from '#core/store/backend/index.ts';
import type { ExactPagination } from '#shared/contract/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';

export interface ToolAnswer {
  data: JsonValue | JsonText;
  sourcePagination?: ExactPagination;
}

export interface Requirements {
  /** A token without these scopes gets status 403. */
  scopes: readonly Scope[];
  modules: readonly Module[];
}

/** A tool refuses a call by throwing an `AppError`, which is sent as `isError` with its code and status. */
export interface RemoteTool extends Requirements {
  name: string;
  title: string;
  description: string;
  kind: 'read' | 'prepare' | 'commit';
  annotations?: { destructiveHint?: boolean; idempotentHint?: boolean };
  input: z.ZodObject;
  /** Arguments that repeat values from an earlier answer. They are not searched for credentials. */
  echoedArguments?: readonly string[];
  output: z.ZodType;
  run(principal: RemotePrincipal, args: JsonObject, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

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
  return {
    ...tool,
    run: (principal, args, context) => tool.run(principal, args as z.output<Input>, context),
  };
}

/** Default scope of a token (contract §5.3). */
export const defaultScope: Scope = 'svc:read';

export interface Entitlements {
  scopes: ReadonlySet<string>;
  member: Pick<Member, 'modules'>;
}

export function scopesOf({ scopes }: Pick<Requirements, 'scopes'>): readonly Scope[] {
  return scopes.includes(defaultScope) ? scopes : [defaultScope, ...scopes];
}

export function hasScopes(entitled: Entitlements, needed: Pick<Requirements, 'scopes'>): boolean {
  return scopesOf(needed).every((scope) => entitled.scopes.has(scope));
}

/** Names the token's scopes together with the missing ones (RFC 6750 §3.1), so that a new grant keeps the scopes it has. */
export function scopeMissing(entitled: Entitlements, needed: Pick<Requirements, 'scopes'>): AppError {
  const all = new Set([...entitled.scopes, ...scopesOf(needed)]);
  return new AppError('scope_missing', { data: { scope: [...all].join(' ') } });
}

export function hasModule(entitled: Entitlements, { modules }: Pick<Requirements, 'modules'>): boolean {
  return modules.length === 0 || modules.some((module) => entitled.member.modules.includes(module));
}

export function isOffered(entitled: Entitlements, needed: Requirements): boolean {
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

export type Scope = 'svc:read' | 'svc:write' | 'svc:upload' | 'offline_access';

export interface RemotePrincipal extends Principal {
  member: Member;
  clientId: string;
  scopes: ReadonlySet<string>;
  identity: 'oauth' | 'direct-jwt';
}

export function principalKeyOf(uid: number, clientId: string): string {
  return `${uid} ${clientId}`;
}

/** Returns an empty string for a non-string value. */
export function textIn(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}

export const hasOrderedDates = ({
  date_from: from,
  date_to: to,
}: {
  date_from: string;
  date_to: string;
}): boolean => from <= to || ![from, to].every((day) => z.iso.date().safeParse(day).success);

export const dateOrderIssue = {
  path: ['date_to'],
  message: 'date_to must not be before date_from.',
  params: { code: 'out_of_range' },
};
