import type { IncomingMessage } from 'node:http';
import {
  argumentAt,
  decodeHeaderText,
  mcpErrorCodes,
  metaKeys,
  metaPrefix,
  nameIn,
  type ParameterHeader,
  parameterHeadersIn,
  statelessVersion,
} from '#core/platform/mcp-envelope.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { Message } from '../message.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';

/** The extension of clients that accept a task instead of a result (SEP-2663). */
export const tasksExtension = `${metaPrefix}tasks`;

export function declaresTasks({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[tasksExtension]);
}

export function hasExchangeHeaders({ headers }: IncomingMessage): boolean {
  const version = headers['mcp-protocol-version'];
  return headers['mcp-session-id'] === undefined && version !== undefined && version >= statelessVersion;
}

/**
 * True if the messages do not belong to a session. An `initialize` begins a session unless its envelope is complete for this
 * revision.
 */
export function areForExchange(request: IncomingMessage, messages: readonly Message[]): boolean {
  if (request.headers['mcp-session-id'] !== undefined) return false;
  const [message] = messages;
  if (messages.length === 1 && message?.kind === 'request' && message.method === 'initialize') {
    const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = metaOf(message.params);
    return typeof version === 'string' && version >= statelessVersion && isJsonObject(capabilities);
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
 * Checks the envelope of a request (MCP 2026-07-28, Streamable HTTP), and returns the capabilities of its client. Fails
 * with an `RpcError`: invalid params, header mismatch, or unsupported version.
 */
export function readCapabilities(
  request: IncomingMessage,
  { method, params }: { method: string; params: JsonObject },
): JsonObject {
  const { headers } = request;
  const meta = metaOf(params);
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = meta;
  if (typeof version !== 'string') throw missingFact(metaKeys.version, 'a text');
  if (!isJsonObject(capabilities)) throw missingFact(metaKeys.capabilities, 'an object');
  requireEqual('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  if (version !== statelessVersion) {
    const message = sentence`This version of the protocol is not served without a session.`;
    const data = { supported: [statelessVersion], requested: version };
    throw new RpcError(mcpErrorCodes.unsupportedVersion, message, data);
  }
  requireEqual('Mcp-Method', headers['mcp-method'], method);
  const name = nameIn(method, params);
  if (name !== null) requireEqual('Mcp-Name', readHeader(request, 'Mcp-Name'), name);
  return capabilities;
}

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
  return new RpcError(mcpErrorCodes.headerMismatch, message);
}

const knownHeaders = new WeakMap<JsonObject, readonly ParameterHeader[]>();

/** Requires that the headers of a call repeat the arguments that the schema of its tool marks. Fails with header mismatch. */
export function checkParameterHeaders(request: IncomingMessage, schema: JsonObject, args: JsonObject): void {
  let declared = knownHeaders.get(schema);
  if (declared === undefined) {
    declared = parameterHeadersIn(schema).headers;
    knownHeaders.set(schema, declared);
  }
  for (const parameter of declared) {
    const value = argumentAt(args, parameter);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const sent = readHeader(request, parameter.header);
    const isSame = typeof value === 'number' ? Number(sent ?? Number.NaN) === value : sent === String(value);
    if (!isSame) throw headerMismatch(parameter.header, sent, String(value));
  }
}

/** The text of a header. Undefined without the header, null if its text cannot be decoded. */
function readHeader({ headers }: IncomingMessage, name: string): string | null | undefined {
  const value = headers[name.toLowerCase()];
  return value === undefined ? undefined : decodeHeaderText(String(value));
}
