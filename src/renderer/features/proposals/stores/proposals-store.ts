import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type {
  AppOutput,
  ProposalSummary,
  ProposalView,
  ProposerFilter,
  TargetPage,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import {
  asFailure,
  followConnection,
  followEvent,
  readAgain,
  readInto,
  stopAll,
} from '#renderer/stores/follow-core.ts';

export interface SummaryList {
  items: readonly ProposalSummary[];
  total: number | null;
  loadingMore: boolean;
  failure: AppError | null;
}

interface Page {
  items: readonly ProposalSummary[];
  total: number;
}

export const emptyList: SummaryList = { items: [], total: null, loadingMore: false, failure: null };

/** Drops all further items, because their order may have changed. */
export function withFirstPage(list: SummaryList, { items, total }: Page): SummaryList {
  return { ...list, items, total, failure: null };
}

/** Replaces the newest page of a list that is sorted newest first. Older items stay, without duplicates. */
export function withHead(list: SummaryList, page: Page): SummaryList {
  const oldest = page.items.at(-1);
  const inHead = new Set(page.items.map((item) => item.id));
  const older = list.items.filter(
    (item) => oldest !== undefined && item.createdAtMs <= oldest.createdAtMs && !inHead.has(item.id),
  );
  const whole = page.items.length >= page.total;
  return { ...list, items: whole ? page.items : [...page.items, ...older], total: page.total, failure: null };
}

export function withTail(list: SummaryList, page: Page): SummaryList {
  const known = new Set(list.items.map((item) => item.id));
  const fresh = page.items.filter((item) => !known.has(item.id));
  return { items: [...list.items, ...fresh], total: page.total, loadingMore: false, failure: null };
}

export function unreadCount(list: SummaryList): number {
  return Math.max(0, (list.total ?? 0) - list.items.length);
}

export type Which = 'waiting' | 'past';

export interface ProposalDetail {
  id: string;
  proposal: ProposalView | null;
  failure: AppError | null;
  doing: 'withdraw' | 'settle' | null;
}

/** If `by` is null, the list contains the changes of all proposers. */
export interface QueueView {
  order: 'risk' | 'newest';
  by: ProposerFilter | null;
}

type QueueProposer = NonNullable<AppOutput<'proposals.list'>['proposers']>[number];

interface ProposalsState {
  queue: QueueView;
  proposers: readonly QueueProposer[];
  waiting: SummaryList;
  past: SummaryList;
  detail: ProposalDetail | null;

  open: (id: string | null) => void;
  arrangeQueue: (queue: QueueView) => void;
  reload: () => void;
  readMore: (which: Which) => Promise<void>;
  /** A page of the campaigns of the open proposal; null if the read failed. */
  readTargets: (from: number) => Promise<TargetPage['targets'] | null>;
  withdraw: () => Promise<void>;
  settle: () => Promise<void>;
  start: () => () => void;
}

/** Grouping needs all waiting proposals, so they are read in one large page. */
const pageSizes: Record<Which, number> = { waiting: 200, past: 50 };

function isAbout(detail: ProposalDetail | null, id: string): boolean {
  const content = detail?.proposal?.detail;
  return (
    detail?.id === id || (content?.kind === 'batch' && content.members.some((member) => member.id === id))
  );
}

export function createProposalsStore(bridge: AppBridge): StoreApi<ProposalsState> {
  return createStore<ProposalsState>((set, get) => {
    function patchDetail(id: string, change: Partial<ProposalDetail>): void {
      const { detail } = get();
      if (detail?.id === id) set({ detail: { ...detail, ...change } });
    }

    async function readPast(): Promise<void> {
      try {
        const page = await readPage('past', null);
        set({ past: withHead(get().past, page) });
      } catch (error) {
        set({ past: { ...get().past, failure: asFailure(error) } });
      }
    }

    async function readQueue(): Promise<void> {
      const { queue } = get();
      try {
        const page = await readPage('waiting', null);
        // A newer choice gets its own answer.
        if (get().queue !== queue) return;
        set({ waiting: withFirstPage(get().waiting, page), proposers: page.proposers ?? [] });
      } catch (error) {
        set({ waiting: { ...get().waiting, failure: asFailure(error) } });
      }
    }

    function readPage(which: Which, before: string | null): Promise<AppOutput<'proposals.list'>> {
      const { order, by } = get().queue;
      const arranged = which === 'waiting' ? { order, ...(by !== null && { by }) } : {};
      return bridge.call('proposals.list', { which, before, limit: pageSizes[which], ...arranged });
    }

    async function readDetail(): Promise<void> {
      const id = get().detail?.id;
      if (id === undefined) return;
      try {
        patchDetail(id, { proposal: await bridge.call('proposals.get', { id }), failure: null });
      } catch (error) {
        patchDetail(id, { failure: asFailure(error) });
      }
    }

    async function change(doing: 'withdraw' | 'settle'): Promise<void> {
      const { detail } = get();
      if (!detail || detail.doing) return;
      const { id } = detail;
      patchDetail(id, { doing });
      try {
        patchDetail(id, { proposal: await bridge.call(`proposals.${doing}`, { id }), failure: null });
      } catch (error) {
        patchDetail(id, { failure: asFailure(error) });
      } finally {
        patchDetail(id, { doing: null });
      }
      get().reload();
    }

    const readLists = readAgain(async () => {
      await Promise.all([readQueue(), readPast()]);
    });
    const readOpen = readAgain(readDetail);

    return {
      queue: { order: 'risk', by: null },
      proposers: [],
      waiting: emptyList,
      past: emptyList,
      detail: null,
      open(id) {
        if (id === (get().detail?.id ?? null)) return;
        set({ detail: id === null ? null : { id, proposal: null, failure: null, doing: null } });
        readOpen();
      },
      arrangeQueue(queue) {
        set({ queue, waiting: { ...get().waiting, loadingMore: false } });
        readLists();
      },
      reload() {
        readLists();
        readOpen();
      },
      async readMore(which) {
        const { queue, [which]: list } = get();
        const last = list.items.at(-1);
        if (list.loadingMore || last === undefined) return;
        set({ [which]: { ...list, loadingMore: true } });
        try {
          const page = await readPage(which, last.id);
          if (which === 'waiting' && get().queue !== queue) return;
          const now = get()[which];
          // If the first page changed in the meantime, appending this page would leave a gap.
          const isNext = now.items.at(-1)?.id === last.id;
          set({ [which]: isNext ? withTail(now, page) : { ...now, loadingMore: false } });
        } catch (error) {
          set({ [which]: { ...get()[which], loadingMore: false, failure: asFailure(error) } });
        }
      },
      async readTargets(from) {
        const id = get().detail?.id;
        if (id === undefined) return null;
        try {
          return (await bridge.call('proposals.targets', { id, from })).targets;
        } catch (error) {
          asFailure(error);
          return null;
        }
      },
      withdraw: () => change('withdraw'),
      settle: () => change('settle'),
      start() {
        const stopEvents = bridge.subscribe((event) => {
          if (event.kind !== 'proposals.changed') return;
          readLists();
          const { detail } = get();
          // Any change may be the undo of the open proposal.
          if (isAbout(detail, event.id) || detail?.proposal?.undo !== undefined) readOpen();
        });
        return stopAll(
          stopEvents,
          followConnection(bridge, () => get().reload()),
        );
      },
    };
  });
}

export const proposalsStore = createProposalsStore(appBridge);

interface WaitingTimeState {
  minutes: number | null;
  failure: AppError | null;
  choose: (minutes: number) => Promise<void>;
  start: () => () => void;
}

export const waitingTimeStore = createStore<WaitingTimeState>((set) => {
  const read = readAgain(() => readInto(set, () => appBridge.call('proposals.waitingTime', {})));
  return {
    minutes: null,
    failure: null,
    choose: async (minutes) =>
      void (await readInto(set, () => appBridge.call('proposals.setWaitingTime', { minutes }))),
    start: () => followEvent(appBridge, 'status.changed', read),
  };
});
