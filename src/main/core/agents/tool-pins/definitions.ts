import { createHash } from 'node:crypto';
import type { PinnedDefinition, ToolPin } from '#core/store/app/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

export interface HashedDefinition {
  name: string;
  /** SHA-256 of the canonical JSON (RFC 8785) without `_meta`, which a service may fill differently each time. */
  hash: string;
  text: string;
}

const maxNameLength = 200;
const maxTools = 1_000;

/** Skips tools without a usable name, duplicates of a name (a call could not address them), and tools beyond {@link maxTools}. */
export function hashedDefinitions(definitions: readonly JsonObject[]): HashedDefinition[] {
  const byName = new Map<string, HashedDefinition>();
  for (const definition of definitions) {
    if (byName.size === maxTools) break;
    const { name } = definition;
    if (typeof name !== 'string' || name === '' || name.length > maxNameLength || byName.has(name)) continue;
    byName.set(name, { name, ...hashedDefinition(definition) });
  }
  return [...byName.values()];
}

export function hashedDefinition(definition: JsonObject): Pick<HashedDefinition, 'hash' | 'text'> {
  const { _meta, ...pinned } = definition;
  const hash = createHash('sha256').update(canonicalJson(pinned)).digest('hex');
  return { hash, text: canonicalJson(definition) };
}

/** Returns untrusted text. */
export function titleOf({ title, annotations }: JsonObject): string | null {
  const hinted = annotations !== undefined && isJsonObject(annotations) ? annotations['title'] : undefined;
  return [title, hinted].find((found): found is string => typeof found === 'string') ?? null;
}

export function changedParts(
  before: JsonObject | null,
  after: JsonObject,
): { part: string; before: string; after: string }[] {
  const names = [...new Set([...partOrder, ...Object.keys(after), ...Object.keys(before ?? {})])];
  return names.flatMap((part) => {
    const [old, now] = [textOf(before?.[part]), textOf(after[part])];
    return part === '_meta' || old === now ? [] : [{ part, before: old, after: now }];
  });
}

const partOrder = ['name', 'title', 'description', 'annotations', 'inputSchema', 'outputSchema'];

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

interface Comparison {
  put: ToolPin[];
  removed: string[];
  differing: ToolPin[];
}

/** Position of a tool that is not listed now. Its pin is kept, so that the same definition may return without a review. */
const notListed = -1;

export function isListed({ position }: ToolPin): boolean {
  return position !== notListed;
}

/** Trust on first use: pins the first list without a review. */
export function firstPins(profileId: string, listed: readonly HashedDefinition[], atMs: number): ToolPin[] {
  return listed.map((tool, position) => {
    const pinned = definitionOf(tool, atMs);
    return { profileId, name: tool.name, position, pinned, isTightened: false, offered: null, changes: 0 };
  });
}

export function compareTools(
  pins: readonly ToolPin[],
  { profileId, listed, atMs }: { profileId: string; listed: readonly HashedDefinition[]; atMs: number },
): Comparison {
  const before = new Map(pins.map((pin) => [pin.name, pin]));
  const now = new Set(listed.map(({ name }) => name));
  const listedNow = listed.map((tool, position) => {
    const pin = before.get(tool.name) ?? newPin(profileId, tool.name);
    const offered = offeredOf(pin, tool, atMs);
    const changes = pin.changes + (isNewOffer(pin, offered) ? 1 : 0);
    return { ...pin, position, offered, changes };
  });
  const gone = pins.filter((pin) => isListed(pin) && !now.has(pin.name));
  const goneNow = gone.filter(({ pinned }) => pinned !== null);
  return {
    put: [
      ...listedNow.filter((pin) => !isSame(before.get(pin.name), pin)),
      ...goneNow.map((pin) => ({ ...pin, position: notListed, offered: null })),
    ],
    removed: gone.filter(({ pinned }) => pinned === null).map(({ name }) => name),
    differing: listedNow.filter(({ name, offered }) => isNewOffer(before.get(name), offered)),
  };
}

function isNewOffer(before: ToolPin | undefined, offered: PinnedDefinition | null): boolean {
  return offered !== null && offered.hash !== before?.offered?.hash;
}

function newPin(profileId: string, name: string): ToolPin {
  return {
    profileId,
    name,
    position: notListed,
    pinned: null,
    isTightened: false,
    offered: null,
    changes: 0,
  };
}

function offeredOf(
  { pinned, offered }: ToolPin,
  tool: HashedDefinition,
  atMs: number,
): PinnedDefinition | null {
  if (tool.hash === pinned?.hash) return null;
  return tool.hash === offered?.hash ? offered : definitionOf(tool, atMs);
}

function definitionOf({ hash, text }: HashedDefinition, atMs: number): PinnedDefinition {
  return { hash, definition: text, atMs };
}

function isSame(before: ToolPin | undefined, now: ToolPin): boolean {
  return before?.position === now.position && before.offered?.hash === now.offered?.hash;
}
