import { appBridge } from '#renderer/api/app-bridge.ts';
import {
  draftsStore,
  type DraftsStore,
  followDrafts,
  readChanged,
} from '#renderer/stores/drafts/drafts-store.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, DraftCheck } from '#shared/app-api/index.ts';
import { type Acting, asFailure, createAct } from '#renderer/stores/follow-core.ts';

export interface CheckState extends Acting<'check' | 'propose'> {
  check: DraftCheck | null;
  refused: AppOutput<'drafts.propose'>['refused'];
  /** Starts a check of these campaigns. Null checks every drafted campaign. */
  begin: (cids: readonly number[] | null) => Promise<void>;
  stop: () => Promise<void>;
  propose: (cids: readonly number[]) => Promise<string[]>;
  dismiss: () => void;
  start: () => () => void;
}

export function createCheckStore(bridge: AppBridge, drafts: DraftsStore): StoreApi<CheckState> {
  return createStore<CheckState>((set, get) => {
    const act = createAct<'check' | 'propose'>(get, set);
    const read = readChanged(async (cids) => {
      try {
        const answer = await bridge.call('drafts.checked', cids === null ? {} : { cids: [...cids] });
        const { check } = get();
        set({ check: check === null || cids === null ? answer : withResults(check, answer, cids) });
        return true;
      } catch (error) {
        // The last check stays visible. The next event reads again.
        asFailure(error);
        return false;
      }
    });
    return {
      check: null,
      refused: [],
      doing: null,
      refusal: null,
      async begin(cids) {
        await act('check', async () => {
          await drafts.getState().stored();
          return bridge.call('drafts.check', { cids: cids === null ? null : [...cids] });
        });
        read([]);
      },
      async stop() {
        await bridge.call('drafts.stopChecking', {});
        read([]);
      },
      async propose(cids) {
        set({ refused: [] });
        const answer = await act('propose', async () => {
          await drafts.getState().stored();
          return bridge.call('drafts.propose', { cids: [...cids] });
        });
        set({ refused: answer?.refused ?? [] });
        return answer?.proposed.map(({ proposalId }) => proposalId) ?? [];
      },
      dismiss: () => set({ refused: [], refusal: null }),
      start: () => followDrafts(bridge, read),
    };
  });
}

function withResults(check: DraftCheck, answer: DraftCheck, cids: ReadonlySet<number>): DraftCheck {
  const fresh = new Map(answer.campaigns.map((campaign) => [campaign.cid, campaign]));
  const known = new Set(check.campaigns.map(({ cid }) => cid));
  const campaigns = [
    ...check.campaigns.flatMap((campaign) =>
      cids.has(campaign.cid) ? (fresh.get(campaign.cid) ?? []) : campaign,
    ),
    ...answer.campaigns.filter(({ cid }) => !known.has(cid)),
  ];
  return { ...answer, campaigns };
}

export const checkStore = createCheckStore(appBridge, draftsStore);
