import type { PinnedDefinition, ToolPin } from '#core/store/app/index.ts';
import type { HashedDefinition } from './definition.ts';

/** The changes to a profile's pins after its service was listed again. */
interface Comparison {
  /** Rows that are other ones than before. */
  put: ToolPin[];
  /** Tools that were never reviewed and are no longer listed. */
  removed: string[];
  /** Tools that the service lists with a definition that it did not list before, and that await review. */
  differing: ToolPin[];
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
    return { profileId, name: tool.name, position, pinned, isTightened: false, offered: null, changes: 0 };
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
    const offered = offeredOf(pin, tool, atMs);
    const changes = pin.changes + (differs(pin, offered) ? 1 : 0);
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
    differing: listedNow.filter(({ name, offered }) => differs(before.get(name), offered)),
  };
}

function differs(before: ToolPin | undefined, offered: PinnedDefinition | null): boolean {
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

/** The definition that awaits review; null if the service lists the pinned one. */
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
