import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#shared/lib/json/json-value.ts';

/** An argument of a tool that is sent as a header too (MCP 2026-07-28, Custom Headers from Tool Parameters). */
export interface ParameterHeader {
  /** Names of the members that lead to the argument. */
  path: readonly string[];
  /** `Mcp-Param-` and the name that the tool gives. */
  header: string;
}

const marker = 'x-mcp-header';
/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const primitives = new Set<JsonValue | undefined>(['string', 'integer', 'boolean']);

/**
 * The arguments that a tool wants as headers, or null if it asks for them in a form that the protocol forbids: such a
 * tool is not offered.
 */
export function parameterHeaders(inputSchema: JsonValue | undefined): ParameterHeader[] | null {
  const found: ParameterHeader[] = [];
  const collect = (schema: JsonValue, path: readonly string[]): boolean => {
    if (!isJsonObject(schema)) return !mentions(schema);
    const { [marker]: name, properties, ...others } = schema;
    if (name !== undefined) {
      if (path.length === 0 || !primitives.has(schema['type'])) return false;
      if (typeof name !== 'string' || !token.test(name)) return false;
      found.push({ path, header: `Mcp-Param-${name}` });
    }
    if (mentions(others)) return false;
    const members = isJsonObject(properties) ? Object.entries(properties) : [];
    return members.every(([member, value]) => collect(value, [...path, member]));
  };
  if (inputSchema === undefined || !collect(inputSchema, [])) return null;
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return names.size === found.length ? found : null;
}

/** True if the marker is a member anywhere within, where no argument can be found by names alone. */
function mentions(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(mentions);
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, marker) || Object.values(value).some(mentions);
}

/** The headers of one call. An argument that is absent, null or no primitive has none. */
export function headersOfArguments(
  declared: readonly ParameterHeader[],
  args: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const parent = path.slice(0, -1).reduce(objectAt, args);
    const value = parent[path.at(-1) ?? ''];
    if (typeof value === 'string') headers[header] = headerValue(value);
    else if (typeof value === 'boolean' || Number.isSafeInteger(value))
      headers[header] = JSON.stringify(value);
  }
  return headers;
}

/** A text as the value of a header: itself, or in base64 if a header could not carry it (MCP 2026-07-28, Value Encoding). */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
