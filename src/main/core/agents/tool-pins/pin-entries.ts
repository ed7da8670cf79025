import { entryBy, type NewEntry } from '#core/ledger/index.ts';
import type { ReportedChange, ToolPin } from '#core/store/app/index.ts';
import type { TreatedPin } from './tool-policy.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

/** Maximum number of a tool's definitions on record before a review. Later definitions are only counted. */
const maxPerTool = 10;
const maxPerService = 3_000;

interface News {
  pins: TreatedPin[];
  lastOfTools: ReadonlySet<string>;
  isLast: boolean;
}

/**
 * Records each definition once until a review, so that a service that alternates
 * does not fill the ledger. The last row reports that no more are recorded.
 */
export function newsOf(differing: readonly TreatedPin[], reported: readonly ReportedChange[]): News {
  const known = new Set(reported.map(keyOf));
  const counts = new Map<string, number>();
  for (const { name } of reported) counts.set(name, (counts.get(name) ?? 0) + 1);
  const countOf = (name: string): number => counts.get(name) ?? 0;
  const room = Math.max(0, maxPerService - reported.length);
  const pins = differing
    .filter((pin) => !known.has(keyOf(changeOf(pin))) && countOf(pin.name) < maxPerTool)
    .slice(0, room);
  return {
    pins,
    lastOfTools: new Set(pins.map(({ name }) => name).filter((name) => countOf(name) + 1 === maxPerTool)),
    isLast: pins.length > 0 && pins.length === room,
  };
}

export function changeOf({ name, offered }: ToolPin): ReportedChange {
  return { name, hash: offered?.hash ?? '' };
}

function keyOf({ name, hash }: ReportedChange): string {
  return `${hash} ${name}`;
}

export function pinnedEntry(profileId: string, pins: readonly TreatedPin[], formats: Formats): NewEntry {
  const tools = pins.map(({ name, treatAs, pinned }) => ({ name, treatAs, hash: pinned?.hash ?? null }));
  return entryBy('Countersign', {
    kind: 'tool.pinned',
    summary: sentence`${ownWords(formats.counted(pins.length, 'tool'))} pinned as the service first listed them`,
    body: { profile: profileId, count: pins.length, tools },
  });
}

/** A row for each changed pinned tool, a row for all new tools, and a row if the limit of the record is reached. */
export function heldEntries(
  profileId: string,
  { pins, lastOfTools, isLast }: News,
  formats: Formats,
): NewEntry[] {
  const added = pins.filter(({ pinned }) => pinned === null);
  const others = pins.filter(({ pinned }) => pinned !== null);
  const held = (pin: TreatedPin): NewEntry => heldEntry(pin, lastOfTools.has(pin.name));
  return [
    ...others.map(held),
    ...(added.length > 1 ? [addedEntry(profileId, added, formats)] : added.map(held)),
    ...(isLast ? [endedEntry(profileId)] : []),
  ];
}

function endedEntry(profileId: string): NewEntry {
  return entryBy('Countersign', {
    kind: 'tool.changed',
    summary: sentence`The service keeps changing its tools: further changes are not recorded until you review them`,
    body: { profile: profileId },
  });
}

function addedEntry(profileId: string, pins: readonly TreatedPin[], formats: Formats): NewEntry {
  return entryBy('Countersign', {
    kind: 'tool.changed',
    summary: sentence`${ownWords(formats.counted(pins.length, 'tool'))} are new, and not offered until you review them`,
    body: {
      profile: profileId,
      count: pins.length,
      tools: pins.map(({ name, offered }) => ({ name, offered: offered?.hash ?? null })),
    },
  });
}

const maxNameLength = 300;

function heldEntry(pin: TreatedPin, isLast: boolean): NewEntry {
  const rest = isLast ? '. It keeps changing: its further definitions are only counted' : '';
  const what = pin.pinned === null ? 'new, and not offered' : 'another one than was pinned, and held';
  return entryBy('Countersign', {
    kind: 'tool.changed',
    summary: sentence`The tool ${quotedUpTo(pin.name, maxNameLength)} is ${ownWords(what)} until you review it${ownWords(rest)}`,
    body: { ...facts(pin), changes: pin.changes },
  });
}

export function acceptedEntry(before: TreatedPin, now: TreatedPin): NewEntry {
  return entryBy('You', {
    kind: 'tool.accepted',
    summary: sentence`Looked at the tool ${quotedUpTo(now.name, maxNameLength)}: its definition is pinned`,
    body: { ...facts(now), before: before.pinned?.hash ?? null, changes: before.changes },
  });
}

export function treatedEntry(pin: TreatedPin): NewEntry {
  const how = pin.treatAs === 'write' ? 'waits for a person' : 'passes';
  return entryBy('You', {
    kind: 'tool.treated',
    summary: sentence`Each call of the tool ${quotedUpTo(pin.name, maxNameLength)} ${ownWords(how)} from now on`,
    body: facts(pin),
  });
}

function facts({ profileId, name, treatAs, pinned, offered }: TreatedPin): NewEntry['body'] {
  return {
    profile: profileId,
    tool: name,
    treatAs,
    pinned: pinned?.hash ?? null,
    offered: offered?.hash ?? null,
  };
}
