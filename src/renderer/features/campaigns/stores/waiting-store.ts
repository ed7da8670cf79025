import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { WaitingDecision } from '#shared/app-api/index.ts';
import { followEvent, readAgain, readOrKeep } from '#renderer/stores/follow-core.ts';

export type WaitingChange = Pick<WaitingDecision, 'id' | 'title'>;

export interface WaitingState {
  /** Newest first. A campaign without a decision is absent. */
  byCid: ReadonlyMap<number, readonly WaitingChange[]>;
  start: () => () => void;
}

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

/** The mark in a row: a short text, and the full text for hover, focus and screen readers. */
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

export const waitingStore = createWaitingStore(appBridge);
