import type { PinnedDefinition, ToolPin } from '#core/store/app/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { HashedDefinition } from './definition.ts';
import { treatmentOf } from './tool-policy.ts';

/** What became of the pins of a profile when its service was listed again. */
export interface Comparison {
  /** Rows that are other ones than before. */
  put: ToolPin[];
  /** Tools that nobody had looked at, and that are gone again. */
  removed: string[];
  /** Differences that a person has to look at from now on. */
  held: ToolPin[];
}

/** The place of a tool that the service does not list now. Its pin stays: the same one may come back without another look. */
const notListed = -1;

/** True while the service lists the tool. */
export function isListed({ position }: ToolPin): boolean {
  return position !== notListed;
}

/** The first list of a profile, taken as it is (trust on first use). */
export function firstPins(profileId: string, listed: readonly HashedDefinition[], atMs: number): ToolPin[] {
  return listed.map((tool, position) => {
    const pinned = definitionOf(tool, atMs);
    const treatAs = treatmentOf(tool.name, JSON.parse(tool.text) as JsonObject);
    return { profileId, name: tool.name, position, pinned, treatAs, offered: null };
  });
}

/** Compares what the service lists now with what is pinned. */
export function compareTools(
  pins: readonly ToolPin[],
  { profileId, listed, atMs }: { profileId: string; listed: readonly HashedDefinition[]; atMs: number },
): Comparison {
  const before = new Map(pins.map((pin) => [pin.name, pin]));
  const now = new Set(listed.map(({ name }) => name));
  const listedNow = listed.map((tool, position) => {
    const pin = before.get(tool.name) ?? newPin(profileId, tool.name);
    return { ...pin, position, offered: offeredOf(pin, tool, atMs) };
  });
  const gone = pins.filter((pin) => isListed(pin) && !now.has(pin.name));
  const goneNow = gone.filter(({ pinned }) => pinned !== null);
  return {
    put: [
      ...listedNow.filter((pin) => !isSame(before.get(pin.name), pin)),
      ...goneNow.map((pin) => ({ ...pin, position: notListed, offered: null })),
    ],
    removed: gone.filter(({ pinned }) => pinned === null).map(({ name }) => name),
    // Only the first difference: a service that changes its mind at every list does not fill the ledger.
    held: listedNow.filter(({ name, offered }) => offered !== null && before.get(name)?.offered == null),
  };
}

function newPin(profileId: string, name: string): ToolPin {
  return { profileId, name, position: notListed, pinned: null, treatAs: 'write', offered: null };
}

/** What nobody has looked at yet; null where the service lists what is pinned. */
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
