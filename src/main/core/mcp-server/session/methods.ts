import { AppError } from '#shared/errors/index.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '#shared/lib/json/json-value.ts';
import { RpcError, invalidParams, rpcCodes } from '../rpc-error.ts';
import type { CallContext, McpSurface, Principal } from '../surface.ts';
import { createHash } from 'node:crypto';
import {
  type LoggingLevel,
  LoggingLevelSchema,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '#core/platform/logger.ts';

export interface SessionSettings {
  logLevel: LoggingLevel;
  subscriptions: Set<string>;
}

export interface MethodCall<P extends Principal> {
  surface: McpSurface<P>;
  principal: P;
  params: JsonObject;
  context: CallContext;
  settings: SessionSettings;
  known: KnownLists<P> | null;
  maxSubscriptions: number;
}

export type MethodResult = Record<string, unknown>;

/** Answers one method of the protocol. Fails with an `RpcError`, or an `AppError` of the surface. */
export type Method = <P extends Principal>(asked: MethodCall<P>) => MethodResult | Promise<MethodResult>;

function textParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw invalidParams(`\`${name}\` must be a text.`);
  return value;
}

const pageSize = 100;

/** A page of a list (MCP, Pagination). The cursor identifies the last entry, so that other changes of the list do not matter. */
function pageOf<T>(
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

/** An opaque cursor of fixed length; clients must not interpret it. */
function cursorOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

export const defaultLogLevel: LoggingLevel = 'info';

const severities = new Map<string, number>(LoggingLevelSchema.options.map((level, index) => [level, index]));

export function isLogLevel(level: unknown): level is LoggingLevel {
  return typeof level === 'string' && severities.has(level);
}

/** True if the level is at least as severe as `wanted`. */
export function isHeard(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return (severities.get(level) ?? 0) >= (severities.get(wanted) ?? 0);
}

export const listKinds = ['tools', 'resources', 'prompts'] as const;
export type ListKind = (typeof listKinds)[number];

export interface KnownLists<P extends Principal> {
  saw(kind: ListKind, principal: P): void;
  /** Returns the lists that have changed since the client last saw them, and counts them as seen. */
  takeChanged(principal: P): ListKind[];
}

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

/** The changed lists. Returns none if the surface fails to list them; a later call reports the change. */
export function changedLists<P extends Principal>(
  known: KnownLists<P>,
  principal: P,
  logger: Logger,
): ListKind[] {
  try {
    return known.takeChanged(principal);
  } catch (err) {
    logger.error({ err }, 'The lists of an MCP client could not be compared');
    return [];
  }
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

const listTools: Method = ({ surface, principal, params, known }) => {
  const tools = surface.listTools(principal);
  const { page, ...next } = pageOf(tools, ({ name }) => name, params);
  known?.saw('tools', principal);
  return { tools: page, ...next };
};

const callTool: Method = async ({ surface, principal, params, context }) => {
  const { arguments: args = {} } = params;
  if (!isJsonObject(args)) throw invalidParams('`arguments` must be an object.');
  return surface.callTool(principal, { name: textParam(params, 'name'), args }, context);
};

const listResources: Method = ({ surface, principal, params, known }) => {
  const { page, ...next } = pageOf(surface.listResources(principal), ({ uri }) => uri, params);
  known?.saw('resources', principal);
  return { resources: page, ...next };
};

const listResourceTemplates: Method = ({ surface, principal, params }) => {
  const templates = surface.listResourceTemplates(principal);
  const { page, ...next } = pageOf(templates, ({ uriTemplate }) => uriTemplate, params);
  return { resourceTemplates: page, ...next };
};

const readResource: Method = async ({ surface, principal, params, context }) => {
  const read = await surface.readResource(principal, textParam(params, 'uri'), context);
  return Array.isArray(read) ? { contents: read } : { ...read };
};

/** Reads the resource first, so that a subscription reveals nothing about resources of other principals. */
const subscribe: Method = async ({ surface, principal, params, context, settings, maxSubscriptions }) => {
  const uri = textParam(params, 'uri');
  await surface.readResource(principal, uri, context);
  settings.subscriptions.add(uri);
  if (settings.subscriptions.size <= maxSubscriptions) return {};
  settings.subscriptions.delete(uri);
  throw new AppError('quota_exceeded', { message: 'This session has too many subscriptions.' });
};

const unsubscribe: Method = ({ params, settings }) => {
  settings.subscriptions.delete(textParam(params, 'uri'));
  return {};
};

const listPrompts: Method = ({ surface, principal, params, known }) => {
  const { page, ...next } = pageOf(surface.listPrompts(principal), ({ name }) => name, params);
  known?.saw('prompts', principal);
  return { prompts: page, ...next };
};

const getPrompt: Method = async ({ surface, principal, params, context }) => {
  const { arguments: args = {} } = params;
  if (!areTexts(args)) throw invalidParams('`arguments` must be an object of texts.');
  return surface.getPrompt(principal, { name: textParam(params, 'name'), args }, context);
};

const complete: Method = async ({ surface, principal, params }) => {
  if (surface.complete === undefined) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
  return surface.complete(principal, params);
};

function areTexts(args: JsonValue): args is Record<string, string> {
  return isJsonObject(args) && Object.values(args).every((value) => typeof value === 'string');
}

const ping: Method = () => ({});

const setLogLevel: Method = ({ params: { level }, settings }) => {
  if (!isLogLevel(level)) throw invalidParams('`level` is none of the levels of MCP.');
  settings.logLevel = level;
  return {};
};

/** Every method except `initialize`, which the SDK answers. */
const methods: Readonly<Record<string, Method>> = {
  ping,
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': listResources,
  'resources/templates/list': listResourceTemplates,
  'resources/read': readResource,
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'completion/complete': complete,
  'logging/setLevel': setLogLevel,
};

const capabilityOf: Readonly<Record<string, keyof McpSurface<Principal>['capabilities']>> = {
  'resources/subscribe': 'subscribe',
  'resources/unsubscribe': 'subscribe',
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
};

export function methodOf<P extends Principal>(surface: McpSurface<P>, name: string): Method | null {
  if (!Object.hasOwn(methods, name)) return null;
  const capability = capabilityOf[name];
  if (capability !== undefined && surface.capabilities[capability] !== true) return null;
  return methods[name] ?? null;
}

export function capabilitiesOf<P extends Principal>({ capabilities }: McpSurface<P>): ServerCapabilities {
  const { subscribe = false, completions = false, logging = false } = capabilities;
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, ...(subscribe ? { subscribe } : {}) },
    prompts: { listChanged: true },
    ...(completions ? { completions: {} } : {}),
    ...(logging ? { logging: {} } : {}),
  };
}
