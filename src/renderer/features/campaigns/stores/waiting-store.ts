import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { WaitingDecision } from '#shared/app-api/index.ts';
import { followEvent, readAgain, readOrKeep } from '#renderer/stores/follow-core.ts';

/** A decision that waits, as a campaign's row names it. */
export type WaitingChange = Pick<WaitingDecision, 'id' | 'title'>;

/** Decisions that wait, by the campaigns of the active profile that they may change. */
export interface WaitingState {
  /** Newest first. A campaign without one is absent. */
  byCid: ReadonlyMap<number, readonly WaitingChange[]>;
  /** Keeps it current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

/** Makes the store of the decisions that wait for campaigns. A failed read keeps what was known. */
export function createWaitingStore(bridge: AppBridge): StoreApi<WaitingState> {
  return createStore<WaitingState>((set) => {
    const read = readAgain(() =>
      readOrKeep(set, async () => ({
        byCid: byCampaign((await bridge.call('campaigns.waiting', {})).items),
      })),
    );
    return {
      byCid: new Map(),
      start: () => followEvent(bridge, ['proposals.changed', 'profiles.changed'], read),
    };
  });
}

function byCampaign(items: readonly WaitingDecision[]): WaitingState['byCid'] {
  const byCid = new Map<number, WaitingChange[]>();
  for (const { id, title, cids } of items) {
    for (const cid of cids) byCid.set(cid, [...(byCid.get(cid) ?? []), { id, title }]);
  }
  return byCid;
}

/** Words of the mark in a row: short, and in full for hover, focus and screen readers. */
export function waitingWords(waiting: readonly WaitingChange[]): { short: string; full: string } {
  const [only, second] = waiting;
  if (only !== undefined && second === undefined) {
    return { short: 'Waiting', full: `Waiting for your approval: ${only.title}` };
  }
  const titles = waiting.map(({ title }) => title).join(' · ');
  return {
    short: `${waiting.length} waiting`,
    full: `${waiting.length} waiting for your approval: ${titles}`,
  };
}

/** The page's store of the decisions that wait for campaigns. */
export const waitingStore = createWaitingStore(appBridge);
