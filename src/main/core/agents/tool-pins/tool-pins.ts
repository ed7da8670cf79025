import type { Connection, Connections } from '#core/connections/index.ts';
import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { ToolView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import {
  amended,
  type AcceptedPins,
  createAcceptedPins,
  mayBeRead,
  parsed,
  type SealedValues,
  type ToolTreatment,
  toolView,
  treatmentOf,
  type TreatedPin,
} from './tool-policy.ts';
import {
  compareTools,
  firstPins,
  hashedDefinition,
  type HashedDefinition,
  hashedDefinitions,
  isListed,
  titleOf,
} from './definitions.ts';
import { acceptedEntry, changeOf, heldEntries, newsOf, pinnedEntry, treatedEntry } from './pin-entries.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface PinnedTool {
  name: string;
  title: string | null;
  hash: string;
  definition: JsonObject;
  /** The definition shown to agents. It is amended if {@link amended} has its hash. */
  listed: JsonObject;
  treatAs: ToolTreatment;
  /** True if the service offers a different definition. Calls are refused until a review. */
  isHeld: boolean;
}

export interface ToolPinOptions {
  store: AppStore;
  secrets: SealedValues;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  formats(): Formats;
}

export type ToolPins = ReturnType<typeof createToolPins>;

/** The pinned tools of each profile's service (docs/agents.md). */
export function createToolPins({ store, secrets, ledger, clock, formats }: ToolPinOptions) {
  const rows = store.toolPins;
  const accepted = createAcceptedPins(rows, secrets);
  const changes = createListeners<string>();
  const offered = createOffered(accepted);
  const readAtMs = new Map<string, number>();

  function change(profileId: string, work: () => void): void {
    store.transaction(() => {
      work();
      store.afterCommit(() => {
        offered.forget(profileId);
        changes.emit(profileId);
      });
    });
  }

  function pinFirst(profileId: string, listed: readonly HashedDefinition[]): void {
    const pins = firstPins(profileId, listed, clock.nowMs()).map(accepted.treated);
    change(profileId, () => {
      for (const pin of pins) rows.put(pin);
      ledger.append(pinnedEntry(profileId, pins, formats()));
    });
  }

  function reportChanges(profileId: string, differing: readonly TreatedPin[]): void {
    const news = newsOf(differing, rows.reported(profileId));
    for (const pin of news.pins) rows.markReported(profileId, changeOf(pin));
    for (const entry of heldEntries(profileId, news, formats())) ledger.append(entry);
  }

  return {
    /**
     * Pins the first list of a profile and holds later differences. A tool keeps its pin even if it is no longer listed.
     * Returns true if anything changed.
     */
    compare(profileId: string, definitions: readonly JsonObject[]): boolean {
      const listed = hashedDefinitions(definitions);
      const pins = accepted.of(profileId);
      readAtMs.set(profileId, clock.nowMs());
      if (pins.length === 0) {
        if (listed.length > 0) pinFirst(profileId, listed);
        return listed.length > 0;
      }
      const { put, removed, differing } = compareTools(pins, { profileId, listed, atMs: clock.nowMs() });
      if (put.length === 0 && removed.length === 0) return false;
      change(profileId, () => {
        for (const pin of put) rows.put(pin);
        for (const name of removed) rows.remove(profileId, name);
        if (differing.length > 0) reportChanges(profileId, differing.map(accepted.treated));
      });
      return true;
    },
    offered: (profileId: string): readonly PinnedTool[] => [...offered.of(profileId).values()],
    find: (profileId: string, name: string): PinnedTool | null => offered.of(profileId).get(name) ?? null,
    views: (profileId: string): { tools: ToolView[]; readAtMs: number | null } => ({
      tools: accepted.of(profileId).filter(isListed).map(toolView),
      readAtMs: readAtMs.get(profileId) ?? null,
    }),
    /**
     * Accepts the definition that a person has reviewed. Fails with
     * `tool_moved` if the service offers a different definition now.
     */
    accept(profileId: string, name: string, hash: string): void {
      const pin = accepted.find(profileId, name);
      if (pin?.offered?.hash !== hash) throw new AppError('tool_moved');
      const now = accepted.treated({ ...pin, pinned: pin.offered, offered: null, changes: 0 });
      change(profileId, () => {
        rows.put(now);
        accepted.disallow(now);
        rows.looked(profileId, name);
        ledger.append(acceptedEntry(pin, now));
      });
    },
    /**
     * Sets the treatment until another definition is accepted; a write then stays a
     * write. Fails with `tool_not_readable`, or with `tool_moved` for an unknown tool.
     */
    treat(profileId: string, name: string, treatAs: 'read' | 'write'): void {
      const pin = accepted.find(profileId, name);
      if (pin?.pinned == null) throw new AppError('tool_moved');
      const definition = parsed(pin.pinned);
      if (treatAs === 'read' && !mayBeRead(name, definition)) throw new AppError('tool_not_readable');
      if (treatAs === (pin.treatAs === 'write' ? 'write' : 'read')) return;
      const stored = { ...pin, isTightened: treatAs === 'write' };
      change(profileId, () => {
        rows.put(stored);
        if (treatAs === 'write') accepted.disallow(stored);
        else if (treatmentOf(name, definition) === 'write') accepted.allow(stored);
        ledger.append(treatedEntry(accepted.treated(stored)));
      });
    },
    forget(profileId: string): void {
      change(profileId, () => {
        for (const pin of rows.of(profileId)) accepted.disallow(pin);
        rows.forget(profileId);
      });
      readAtMs.delete(profileId);
    },
    onChanged: changes.add,
  };
}

/** Cached, because every call of an agent looks them up. */
function createOffered(pins: Pick<AcceptedPins, 'of'>) {
  const read = new Map<string, ReadonlyMap<string, PinnedTool>>();
  return {
    of(profileId: string): ReadonlyMap<string, PinnedTool> {
      const known = read.get(profileId) ?? new Map(pins.of(profileId).flatMap(asOffered));
      read.set(profileId, known);
      return known;
    },
    forget: (profileId: string): void => void read.delete(profileId),
  };
}

function asOffered(pin: TreatedPin): [string, PinnedTool][] {
  const { name, pinned, treatAs } = pin;
  if (pinned === null || !isListed(pin)) return [];
  const definition = parsed(pinned);
  const isHeld = pin.offered !== null;
  const { hash } = pinned;
  const listed = amended(hash, definition) ?? definition;
  return [[name, { name, title: titleOf(definition), hash, definition, listed, treatAs, isHeld }]];
}

interface PinCheckOptions {
  connections: Pick<Connections, 'of'>;
  pins: Pick<ToolPins, 'compare' | 'find'>;
}

/**
 * Reads the tools of the service and holds changed ones. Resolves with true if the service lists the tool only with the pinned
 * definition that the user saw. Fails as the read does.
 */
export function createPinCheck({ connections, pins }: PinCheckOptions) {
  return async (
    profileId: string,
    { name, definitionHash }: { name: string; definitionHash: string },
  ): Promise<boolean> => {
    const listed = await connections.of(profileId).remote.listTools();
    pins.compare(profileId, listed);
    const pin = pins.find(profileId, name);
    const offered = listed.filter((definition) => definition['name'] === name);
    return (
      pin !== null &&
      !pin.isHeld &&
      pin.hash === definitionHash &&
      offered.length > 0 &&
      offered.every((definition) => hashedDefinition(definition).hash === definitionHash)
    );
  };
}

/**
 * Reads the tools of the service and returns the pinned tool for a call by the app itself. Pins the first list and holds
 * changed tools. Fails with `tool_held`, or as the read does.
 */
export async function pinnedTool(
  pins: Pick<ToolPins, 'compare' | 'find'>,
  { remote, profile }: Pick<Connection, 'remote' | 'profile'>,
  name: string,
): Promise<{ name: string; title: string | null; definitionHash: string }> {
  pins.compare(profile.id, await remote.listTools());
  const tool = pins.find(profile.id, name);
  if (tool === null || tool.isHeld) throw new AppError('tool_held');
  return { name: tool.name, title: tool.title, definitionHash: tool.hash };
}
