import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore } from 'zustand/vanilla';
import type { FlightView } from '#shared/app-api/index.ts';
import { pageSize } from './paged-list.ts';
import { readAgain, readOrKeep, serviceEveryMs, stopAll } from '../follow-core.ts';

interface FlightsState {
  byCid: ReadonlyMap<number, FlightView>;
  show: (cids: readonly number[]) => void;
  start: () => () => void;
}

/** Each campaign is read in full once, so rows that are only scrolled past are not read. */
const stillMs = 250;

export const flightsStore = createStore<FlightsState>((set, get) => {
  let inView: readonly number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = readAgain(async () => {
    const cids = inView.slice(0, pageSize);
    if (cids.length === 0) return;
    await readOrKeep(set, async () => {
      const { items } = await appBridge.call('campaigns.flights', { cids });
      const byCid = new Map(get().byCid);
      for (const flight of items) byCid.set(flight.cid, flight);
      return { byCid };
    });
  }, serviceEveryMs);
  return {
    byCid: new Map(),
    show(cids) {
      inView = cids;
      clearTimeout(timer);
      if (cids.some((cid) => !get().byCid.has(cid))) timer = setTimeout(read, stillMs);
    },
    start: () =>
      stopAll(
        () => clearTimeout(timer),
        appBridge.subscribe(({ kind }) => {
          if (kind === 'profiles.changed') set({ byCid: new Map() });
          // A changed campaign is read in full again before `campaigns.loading`.
          if (kind === 'campaigns.loading' || kind === 'profiles.changed') read();
        }),
      ),
  };
});
