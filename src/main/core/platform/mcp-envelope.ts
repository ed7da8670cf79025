import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#shared/lib/json/json-value.ts';

/** The revision of MCP without sessions: each request states its version and the capabilities of its client. */
export const statelessVersion = '2026-07-28';

/** Members of `_meta` whose names begin with this belong to the protocol. */
export const metaPrefix = 'io.modelcontextprotocol/';

export const metaKeys = {
  version: `${metaPrefix}protocolVersion`,
  clientInfo: `${metaPrefix}clientInfo`,
  capabilities: `${metaPrefix}clientCapabilities`,
  logLevel: `${metaPrefix}logLevel`,
  serverInfo: `${metaPrefix}serverInfo`,
  subscription: `${metaPrefix}subscriptionId`,
} as const;

/** Error codes that MCP adds to those of JSON-RPC. A server refuses with them before it does anything. */
export const mcpErrorCodes = {
  /** MCP 2025-11-25, Resources, Error Handling. */
  resourceNotFound: -32_002,
  /** This code and the next two: MCP 2026-07-28, Transports. */
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

const nameParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The parameter of a request that the header `Mcp-Name` repeats; null if the request has no such parameter. */
export function nameIn(method: string, params: Readonly<Record<string, unknown>>): string | null {
  const parameter = Object.hasOwn(nameParameters, method) ? nameParameters[method] : undefined;
  const name = parameter === undefined ? undefined : params[parameter];
  return typeof name === 'string' ? name : null;
}

/** An argument of a tool that is also sent as a header (MCP 2026-07-28, Custom Headers from Tool Parameters). */
export interface ParameterHeader {
  path: readonly string[];
  /** `Mcp-Param-` and the name that the tool gives. */
  header: string;
}

interface ParameterHeaders {
  headers: readonly ParameterHeader[];
  /** False if the schema marks arguments in a form that the protocol forbids. Clients must not offer such a tool. */
  areAllowed: boolean;
}

const marker = 'x-mcp-header';
/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const primitives = new Set<JsonValue | undefined>(['string', 'integer', 'boolean']);

/** Finds the arguments that the input schema of a tool marks with `x-mcp-header`. */
export function parameterHeadersIn(inputSchema: JsonValue | undefined): ParameterHeaders {
  const headers: ParameterHeader[] = [];
  let areAllowed = inputSchema !== undefined;
  const collect = (schema: JsonValue, path: readonly string[]): void => {
    if (!isJsonObject(schema)) {
      areAllowed &&= !isMarkedWithin(schema);
      return;
    }
    const { [marker]: name, properties, ...others } = schema;
    if (typeof name === 'string' && token.test(name) && path.length > 0) {
      headers.push({ path, header: `Mcp-Param-${name}` });
      areAllowed &&= primitives.has(schema['type']);
    } else areAllowed &&= name === undefined;
    areAllowed &&= !isMarkedWithin(others);
    if (!isJsonObject(properties)) return;
    for (const [member, value] of Object.entries(properties)) collect(value, [...path, member]);
  };
  collect(inputSchema ?? {}, []);
  const names = new Set(headers.map(({ header }) => header.toLowerCase()));
  return { headers, areAllowed: areAllowed && names.size === headers.length };
}

/**
 * True if the marker occurs anywhere inside, for example in `items` or `anyOf`. The protocol forbids marks there, because they
 * do not belong to one argument.
 */
function isMarkedWithin(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(isMarkedWithin);
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, marker) || Object.values(value).some(isMarkedWithin);
}

export function argumentAt(args: JsonObject, { path }: ParameterHeader): JsonValue | undefined {
  const name = path.at(-1) ?? '';
  const parent = path.slice(0, -1).reduce(objectAt, args);
  return Object.hasOwn(parent, name) ? parent[name] : undefined;
}

/** Encodes a text as the value of a header: in Base64 if a header cannot carry it (MCP 2026-07-28, Value Encoding). */
export function encodeHeaderText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The headers for the arguments of a call. Only strings, booleans and safe integers have one. */
export function headersOfArguments(
  declared: readonly ParameterHeader[],
  args: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const parameter of declared) {
    const value = argumentAt(args, parameter);
    if (typeof value === 'string') headers[parameter.header] = encodeHeaderText(value);
    else if (typeof value === 'boolean' || Number.isSafeInteger(value))
      headers[parameter.header] = JSON.stringify(value);
  }
  return headers;
}

const base64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the value of a header that {@link encodeHeaderText} wrote. Null if its Base64 or its UTF-8 is not valid. */
export function decodeHeaderText(value: string): string | null {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const bytes = base64.exec(value)?.[1];
  if (bytes === undefined) return null;
  try {
    return utf8.decode(Buffer.from(bytes, 'base64'));
  } catch {
    return null;
  }
}
