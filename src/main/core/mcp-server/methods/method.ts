import { createHash } from 'node:crypto';
import { type LoggingLevel, LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { invalidParams } from '../rpc-error.ts';
import type { CallContext, McpSurface, Principal } from '../surface.ts';

/** The settings of one session that its client has chosen. */
export interface SessionSettings {
  logLevel: LoggingLevel;
  /** Addresses of resources. */
  subscriptions: Set<string>;
}

/** One request, with all that a method needs to answer it. */
export interface MethodCall<P extends Principal> {
  surface: McpSurface<P>;
  principal: P;
  params: JsonObject;
  context: CallContext;
  settings: SessionSettings;
  known: KnownLists<P>;
  /** The most subscriptions of one session. */
  maxSubscriptions: number;
}

/** The `result` of a JSON-RPC response. */
export type MethodResult = Record<string, unknown>;

/** Answers one method of the protocol. Fails with an `RpcError`, or an `AppError` of the surface. */
export type Method = <P extends Principal>(asked: MethodCall<P>) => MethodResult | Promise<MethodResult>;

/** A text among the params. Fails with -32602. */
export function textParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw invalidParams(`\`${name}\` must be a text.`);
  return value;
}

/** Number of entries of a list in one answer. */
const pageSize = 100;

/**
 * The page of a list that the cursor names (MCP, Pagination). A cursor stands for the entry after which to go on, so that
 * what comes and goes elsewhere in the list does no harm. Fails with -32602 where that entry is gone.
 */
export function pageOf<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  { cursor }: JsonObject,
): { page: readonly T[]; nextCursor?: string } {
  const start =
    cursor === undefined ? 0 : entries.findIndex((entry) => cursorOf(keyOf(entry)) === cursor) + 1;
  if (cursor !== undefined && start === 0)
    throw invalidParams('This cursor is not known. Begin the list again.');
  const page = entries.slice(start, start + pageSize);
  const last = page.at(-1);
  const isLast = last === undefined || start + pageSize >= entries.length;
  return isLast ? { page } : { page, nextCursor: cursorOf(keyOf(last)) };
}

/** Says nothing to who reads it, and is of one size. */
function cursorOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** The log level of a session that has not set one (MCP, Logging). */
export const usualLogLevel: LoggingLevel = 'info';

const severities = new Map<string, number>(LoggingLevelSchema.options.map((level, index) => [level, index]));

/** True for the levels of RFC 5424 that MCP knows. */
export function isLogLevel(level: unknown): level is LoggingLevel {
  return typeof level === 'string' && severities.has(level);
}

/** True if a client that asked for `wanted` and worse gets a message of this level. */
export function isHeard(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return (severities.get(level) ?? 0) >= (severities.get(wanted) ?? 0);
}

/** The kinds of lists, each with its own notification. */
const listKinds = ['tools', 'resources', 'prompts'] as const;
type ListKind = (typeof listKinds)[number];

/** The lists as one session last saw them. */
interface KnownLists<P extends Principal> {
  /** It was just shown this list. */
  saw(kind: ListKind, principal: P): void;
  /** The lists that are other ones than it knows; from now on it knows them. */
  takeChanged(principal: P): ListKind[];
}

/** A session begins with what it would be shown at its opening. */
export function createKnownLists<P extends Principal>(surface: McpSurface<P>, opener: P): KnownLists<P> {
  const known = new Map(listKinds.map((kind) => [kind, fingerprint(surface, kind, opener)]));
  return {
    saw: (kind, principal) => void known.set(kind, fingerprint(surface, kind, principal)),
    takeChanged: (principal) =>
      listKinds.filter((kind) => {
        const now = fingerprint(surface, kind, principal);
        if (known.get(kind) === now) return false;
        known.set(kind, now);
        return true;
      }),
  };
}

function fingerprint<P extends Principal>(surface: McpSurface<P>, kind: ListKind, principal: P): string {
  return createHash('sha256')
    .update(JSON.stringify(listOf(surface, kind, principal)))
    .digest('base64');
}

function listOf<P extends Principal>(surface: McpSurface<P>, kind: ListKind, principal: P): unknown {
  switch (kind) {
    case 'tools':
      return surface.listTools(principal);
    case 'resources':
      return [surface.listResources(principal), surface.listResourceTemplates(principal)];
    case 'prompts':
      return surface.listPrompts(principal);
  }
}
