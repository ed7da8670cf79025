import { createHash } from 'node:crypto';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** A tool's definition with what pins it. */
export interface HashedDefinition {
  name: string;
  /** SHA-256 over the RFC 8785 form of the definition, every member but `_meta`, which a service may fill anew each time. */
  hash: string;
  /** The whole definition as canonical JSON text. */
  text: string;
}

/** The longest name that a person can be asked about. */
const longestName = 200;

/** The most tools that are pinned. */
const maxTools = 1_000;

/**
 * The definitions of a list in its order, hashed. A tool without a name is left out, and so is the second of two
 * with the same name: a call could not address it. Entries after {@link maxTools} are left out as well.
 */
export function hashedDefinitions(definitions: readonly JsonObject[]): HashedDefinition[] {
  const byName = new Map<string, HashedDefinition>();
  for (const definition of definitions) {
    if (byName.size === maxTools) break;
    const { name } = definition;
    if (typeof name !== 'string' || name === '' || name.length > longestName || byName.has(name)) continue;
    byName.set(name, { name, ...hashedDefinition(definition) });
  }
  return [...byName.values()];
}

/** One definition with its hash. */
export function hashedDefinition(definition: JsonObject): Pick<HashedDefinition, 'hash' | 'text'> {
  const { _meta, ...pinned } = definition;
  const hash = createHash('sha256').update(canonicalJson(pinned)).digest('hex');
  return { hash, text: canonicalJson(definition) };
}

/** The title by which a person knows the tool; null if it has none. Foreign text. */
export function titleOf({ title, annotations }: JsonObject): string | null {
  const hinted = annotations !== undefined && isJsonObject(annotations) ? annotations['title'] : undefined;
  return [title, hinted].find((found): found is string => typeof found === 'string') ?? null;
}

/** The parts to review: the members that differ in the new definition, or all of a new tool's. */
export function partsOf(
  before: JsonObject | null,
  after: JsonObject,
): { part: string; before: string; after: string }[] {
  const names = [...new Set([...known, ...Object.keys(after), ...Object.keys(before ?? {})])];
  return names.flatMap((part) => {
    const [old, now] = [textOf(before?.[part]), textOf(after[part])];
    return part === '_meta' || old === now ? [] : [{ part, before: old, after: now }];
  });
}

/** These first, in this order. */
const known = ['name', 'title', 'description', 'annotations', 'inputSchema', 'outputSchema'];

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
