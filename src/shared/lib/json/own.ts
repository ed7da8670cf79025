import type { JsonObject, JsonValue } from './json-value.ts';

/** An object's own member, never one of the prototype: names may be foreign. */
export function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
