import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { Message } from '../message.ts';
import { invalidParams, rpcCodes, RpcError } from '../rpc-error.ts';

/** The revision without sessions: each request says its version and the capabilities of its client (MCP, Versioning). */
export const exchangeVersion = '2026-07-28';

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The extension by which a client takes a task in place of a result (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

export function declaresTasks({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[tasksExtension]);
}

/** Facts that a request states of itself in `_meta`. */
export interface Envelope {
  version: string;
  capabilities: JsonObject;
}

/** True if these headers are of a request without a session. */
export function hasExchangeHeaders({ headers }: IncomingMessage): boolean {
  const version = headers['mcp-protocol-version'];
  return headers['mcp-session-id'] === undefined && version !== undefined && version >= exchangeVersion;
}

/**
 * True if the messages are not for a session. An `initialize` begins a session unless it states everything that a request of
 * this revision states.
 */
export function areForExchange(request: IncomingMessage, messages: readonly Message[]): boolean {
  if (request.headers['mcp-session-id'] !== undefined) return false;
  const [message] = messages;
  if (messages.length === 1 && message?.kind === 'request' && message.method === 'initialize') {
    const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = metaOf(message.params);
    return typeof version === 'string' && version >= exchangeVersion && isJsonObject(capabilities);
  }
  return (
    hasExchangeHeaders(request) ||
    messages.some(({ kind, raw }) => kind !== 'response' && metaKeys.version in metaOf(raw['params']))
  );
}

function metaOf(params: JsonValue | undefined): JsonObject {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? meta : {};
}

/**
 * Reads and checks the envelope of a request (MCP 2026-07-28, Streamable HTTP). Fails with an `RpcError`: invalid params,
 * header mismatch, or unsupported version.
 */
export function readEnvelope(
  { headers }: IncomingMessage,
  { method, params }: { method: string; params: JsonObject },
): Envelope {
  const meta = metaOf(params);
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = meta;
  if (typeof version !== 'string') throw missingFact(metaKeys.version, 'a text');
  if (!isJsonObject(capabilities)) throw missingFact(metaKeys.capabilities, 'an object');
  requireEqual('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  if (version !== exchangeVersion) {
    const message = sentence`This version of the protocol is not served without a session.`;
    const data = { supported: [exchangeVersion], requested: version };
    throw new RpcError(rpcCodes.unsupportedVersion, message, data);
  }
  requireEqual('Mcp-Method', headers['mcp-method'], method);
  const named = Object.hasOwn(namedBy, method) ? params[namedBy[method] ?? ''] : undefined;
  if (typeof named === 'string') requireEqual('Mcp-Name', decoded(headers['mcp-name']), named);
  return { version, capabilities };
}

/** The parameter that `Mcp-Name` repeats. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

function missingFact(key: string, form: string): RpcError {
  return invalidParams(`\`_meta\` must have "${key}" as ${form}.`);
}

function requireEqual(header: string, sent: string | string[] | null | undefined, expected: string): void {
  if (sent !== expected) throw headerMismatch(header, sent, expected);
}

function headerMismatch(
  header: string,
  sent: string | string[] | null | undefined,
  expected: string,
): RpcError {
  const name = ownWords(header);
  const message =
    sent === undefined
      ? sentence`The header ${name} is missing. The message says ${expected}.`
      : sent === null
        ? sentence`The header ${name} is not valid Base64 of UTF-8.`
        : sentence`The header ${name} says ${String(sent)}, and the message ${expected}.`;
  return new RpcError(rpcCodes.headerMismatch, message);
}

const base64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value of a header, also one in `=?base64?…?=`. Null if that cannot be decoded. */
function decoded(value: string | string[] | undefined): string | null | undefined {
  if (typeof value !== 'string' || !value.startsWith('=?base64?') || !value.endsWith('?=')) {
    return value === undefined ? undefined : String(value);
  }
  const bytes = base64.exec(value)?.[1];
  if (bytes === undefined) return null;
  try {
    return utf8.decode(Buffer.from(bytes, 'base64'));
  } catch {
    return null;
  }
}

/** A parameter that the schema of a tool wants in a header as well: `x-mcp-header`. */
interface HeaderParameter {
  header: string;
  path: readonly string[];
}

const knownParameters = new WeakMap<JsonObject, readonly HeaderParameter[]>();

/** Requires that the headers of a call repeat the arguments which the tool's schema names. Fails with header mismatch. */
export function checkParameterHeaders(
  { headers }: IncomingMessage,
  schema: JsonObject,
  args: JsonObject,
): void {
  let parameters = knownParameters.get(schema);
  if (parameters === undefined) {
    parameters = headerParametersIn(schema, []);
    knownParameters.set(schema, parameters);
  }
  for (const { header, path } of parameters) {
    const value = path.reduce<JsonValue | undefined>(
      (at, key) => (isJsonObject(at) ? at[key] : undefined),
      args,
    );
    if (value === undefined || value === null || typeof value === 'object') continue;
    const sent = decoded(headers[`mcp-param-${header}`.toLowerCase()]);
    const isSame = typeof value === 'number' ? Number(sent ?? Number.NaN) === value : sent === String(value);
    if (!isSame) throw headerMismatch(`Mcp-Param-${header}`, sent, String(value));
  }
}

function headerParametersIn(schema: JsonObject, path: readonly string[]): HeaderParameter[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return [];
    const { 'x-mcp-header': header } = property;
    const own = typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header);
    const here = [...path, key];
    return [...(own ? [{ header, path: here }] : []), ...headerParametersIn(property, here)];
  });
}
