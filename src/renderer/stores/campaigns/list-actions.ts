import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignFilter } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CampaignsData, Handle, ListActions } from './campaigns-state.ts';
import { cleared, narrows, sortedBy } from './filter.ts';
import { noSelection } from './selection.ts';
import { markStale, neededPages, pageSize, startList, withPage } from './paged-list.ts';

/** Somebody signed out: the rows are nobody's any more. Every other failure leaves them, with their age. */
function leftBehind({ code }: AppError): Partial<CampaignsData> {
  return code === 'credential_missing' ? { list: null, all: null, kept: null, selection: noSelection } : {};
}

/** Reads the list page by page, as rows come into view. Answers that belong to an older filter or an older read are dropped. */
export function listActions(bridge: AppBridge, { get, set }: Handle): ListActions {
  let generation = 0;
  const reading = new Set<number>();
  let inView = { first: 0, last: 0 };

  async function readPage(page: number, fresh: boolean): Promise<void> {
    if (reading.has(page)) return;
    const mine = generation;
    reading.add(page);
    try {
      const answer = await bridge.call('campaigns.page', { filter: get().filter, page, perPage: pageSize });
      if (mine !== generation) return;
      const { list } = get();
      set({
        list: fresh || list === null ? startList(answer) : withPage(list, answer),
        loading: false,
        failure: null,
        kept: answer.kept,
        ...(narrows(get().filter) ? {} : { all: answer.total }),
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (mine === generation) set({ failure: error, loading: false, ...leftBehind(error) });
      return;
    } finally {
      if (mine === generation) reading.delete(page);
    }
    show(inView.first, inView.last);
  }

  function show(first: number, last: number): void {
    inView = { first, last };
    const { list } = get();
    if (!list) return;
    for (const page of neededPages(list, first, last)) void readPage(page, false);
  }

  function forgetReads(): void {
    generation += 1;
    reading.clear();
  }

  function restart(filter: CampaignFilter): void {
    forgetReads();
    inView = { first: 0, last: 0 };
    set({ filter, loading: true, cursor: 0, selection: { ...get().selection, anchor: null } });
    void readPage(1, true);
  }

  return {
    show,
    setFilter: (change) => restart({ ...get().filter, ...change }),
    clearFilter: () => restart(cleared(get().filter)),
    sortBy: (column) => restart(sortedBy(get().filter, column)),
    reload() {
      const { list, filter, loading } = get();
      if (!list || loading) return restart(filter);
      forgetReads();
      set({ list: markStale(list), failure: null });
      show(inView.first, inView.last);
    },
  };
}
