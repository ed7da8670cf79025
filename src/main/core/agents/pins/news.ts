import type { ToldChange, ToolPin } from '#core/store/app/index.ts';

/** So many definitions of one tool are on record before somebody looks; of a service that keeps changing it only the count goes on. */
const mostOfTool = 10;

/** So many of all tools of a service. */
const mostOfService = 3_000;

/** What of the differences is written down. */
export interface News {
  pins: ToolPin[];
  /** Names of tools of which no further definition is written down. */
  lastOfTools: ReadonlySet<string>;
  /** Nothing further of this service is written down. */
  isLast: boolean;
}

/**
 * Each definition once until a person has looked: a service that flips one back and forth, or that changes its mind at every
 * list, does not fill the ledger. Where the record ends, it says so.
 */
export function newsOf(differing: readonly ToolPin[], told: readonly ToldChange[]): News {
  const known = new Set(told.map(keyOf));
  const counts = new Map<string, number>();
  for (const { name } of told) counts.set(name, (counts.get(name) ?? 0) + 1);
  const countOf = (name: string): number => counts.get(name) ?? 0;
  const room = Math.max(0, mostOfService - told.length);
  const pins = differing
    .filter((pin) => !known.has(keyOf(changeOf(pin))) && countOf(pin.name) < mostOfTool)
    .slice(0, room);
  return {
    pins,
    lastOfTools: new Set(pins.map(({ name }) => name).filter((name) => countOf(name) + 1 === mostOfTool)),
    isLast: pins.length > 0 && pins.length === room,
  };
}

/** The difference as it is told. */
export function changeOf({ name, offered }: ToolPin): ToldChange {
  return { name, hash: offered?.hash ?? '' };
}

function keyOf({ name, hash }: ToldChange): string {
  return `${hash} ${name}`;
}
