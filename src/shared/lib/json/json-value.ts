/** A JSON value as it came over the wire (RFC 8259). Unknown members are kept, never re-serialised from a typed model. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; made by the strict parser, so it has no duplicate keys and no `__proto__`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** True for JSON objects, false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
