import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignFilter } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { listLimits } from '#shared/contract/index.ts';
import { asFailure, readAgain, serviceEveryMs } from '../follow-core.ts';
import { readList } from '../campaigns/paged-list.ts';

/** `name` is untrusted text. */
export interface FoundCampaign {
  cid: number;
  name: string;
}

export interface CampaignSearchState {
  query: string;
  found: readonly FoundCampaign[] | null;
  total: number;
  failure: AppError | null;
  names: Readonly<Record<number, string>>;
  search: (query: string) => void;
  /** Reads the names of these campaigns that are not in `names` yet, at most `maxLearned` of them. */
  learn: (cids: readonly number[]) => Promise<void>;
  clear: () => void;
}

export type CampaignSearchStore = StoreApi<CampaignSearchState>;

export const maxFound = 8;

const maxLearned = 20;

const empty = { query: '', found: null, total: 0, failure: null };

export function createCampaignSearchStore(bridge: AppBridge): CampaignSearchStore {
  return createStore<CampaignSearchState>((set, get) => {
    async function read(query: string): Promise<{ found: FoundCampaign[]; total: number }> {
      const filter: CampaignFilter = { query, status: null, types: [], sort: 'cid', order: 'desc' };
      const { rows, total } = await readList(bridge, {
        filter,
        conditions: [],
        again: false,
        page: listLimits.firstPage,
        perPage: Math.max(maxFound, listLimits.minPerPage),
      });
      const found = rows.map(({ cid, name }) => ({ cid, name }));
      const learned = Object.fromEntries(found.map(({ cid, name }) => [cid, name]));
      set({ names: { ...get().names, ...learned } });
      return { found, total };
    }

    const readQuery = readAgain(async () => {
      const query = get().query.trim();
      if (query === '') return;
      try {
        const { found, total } = await read(query);
        if (get().query.trim() === query) set({ found: found.slice(0, maxFound), total, failure: null });
      } catch (error) {
        const failure = asFailure(error);
        if (get().query.trim() === query) set({ found: null, failure });
      }
    }, serviceEveryMs);

    return {
      ...empty,
      names: {},
      search(query) {
        set({ query, found: null, total: 0, failure: null });
        readQuery();
      },
      async learn(cids) {
        const unknown = cids.filter((cid) => get().names[cid] === undefined).slice(0, maxLearned);
        for (const cid of unknown) {
          try {
            await read(String(cid));
          } catch (error) {
            // The page shows the id instead of the name.
            return void asFailure(error);
          }
        }
      },
      clear: () => set({ ...empty, names: {} }),
    };
  });
}

export const campaignSearchStore = createCampaignSearchStore(appBridge);
