import type { AppBridge } from '#renderer/api/bridge.ts';
import { followConnection, readAgain } from '../follow-core.ts';

/** Campaigns that may have changed; any may have where none is named. */
type ChangedCids = readonly number[];

/** So many campaigns are asked for by name; more are read with all others. */
const maxNamed = 1_000;

/**
 * Reads what has changed since the last read, so that one drafted campaign costs one, however many there are. `read` is given the
 * campaigns, or null for all, and resolves to false if it failed: then the next one reads everything.
 */
export function readChanged(
  read: (cids: ReadonlySet<number> | null) => Promise<boolean>,
): (cids: ChangedCids) => void {
  let changed: Set<number> | null = null;
  const again = readAgain(async () => {
    const cids = changed === null || changed.size > maxNamed ? null : changed;
    changed = new Set();
    if (!(await read(cids))) changed = null;
  });
  return (cids) => {
    if (cids.length === 0) changed = null;
    else for (const cid of cids) changed?.add(cid);
    again();
  };
}

/** Reads at once where the page is connected, then what each event names, and everything with a new connection or another account. */
export function followDrafts(bridge: AppBridge, read: (cids: ChangedCids) => void): () => void {
  const stopEvents = bridge.subscribe((event) => {
    if (event.kind === 'drafts.changed') read(event.cids);
    if (event.kind === 'profiles.changed') read([]);
  });
  const stopConnection = followConnection(bridge, () => read([]));
  return () => {
    stopEvents();
    stopConnection();
  };
}
