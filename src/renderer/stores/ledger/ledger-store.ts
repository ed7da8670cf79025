import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import {
  type AgentView,
  everyRow,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerProfile,
  type LedgerReport,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { asFailure, followEvent, readAgain, readInto, stopAll } from '../follow-core.ts';
import { emptyForm, type FilterForm, filterOf, type FormErrors } from './filter-form.ts';

/** The ledger as far as it was read, newest first, without gaps. */
export interface EntryList {
  entries: readonly LedgerEntry[];
  total: number;
}

/**
 * The list with its newest page read again. Rows never change once written, so a page that meets the known rows joins
 * them; a page that does not leaves a gap, and the older rows are dropped to be read again.
 */
export function withNewest(
  list: EntryList | null,
  page: { items: readonly LedgerEntry[]; total: number },
): EntryList {
  const { items, total } = page;
  const oldest = items.at(-1)?.seq ?? 0;
  const known = list?.entries ?? [];
  const joins = known.some((entry) => entry.seq >= oldest);
  const older = joins ? known.filter((entry) => entry.seq < oldest) : [];
  return { entries: [...items, ...older], total };
}

/** The list with the page that follows it. */
export function withOlder(
  list: EntryList,
  page: { items: readonly LedgerEntry[]; total: number },
): EntryList {
  const oldest = list.entries.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  return {
    entries: [...list.entries, ...page.items.filter((entry) => entry.seq < oldest)],
    total: page.total,
  };
}

/** True when older rows are still to be read. */
export function hasOlder(list: EntryList): boolean {
  return list.entries.length < list.total;
}

/** An agent that rows may be about. */
export type KnownAgent = Pick<AgentView, 'id' | 'name' | 'sinceMs'>;

export interface LedgerState {
  list: EntryList | null;
  report: LedgerReport | null;
  /** The filter of the rows shown. */
  filter: LedgerFilter;
  /** The filter as the person puts it, and what of it cannot be read yet. */
  form: FilterForm;
  errors: FormErrors;
  /** Agents to choose from, newest first. */
  agents: readonly KnownAgent[];
  /** Profiles that rows are about. */
  profiles: readonly LedgerProfile[];
  /** Opened rows by sequence number, and opened stories by their key. */
  opened: ReadonlySet<number | string>;
  verifying: boolean;
  /** The failure of the last read; the page then shows older data. */
  failure: AppError | null;

  /** Only the rows of this proposal, or all rows for null; no other filter stays. */
  filterBy: (proposalId: string | null) => void;
  /** Changes the filter; days are those of the zone. */
  setForm: (change: Partial<FilterForm>, zone: string) => void;
  toggle: (row: number | string) => void;
  readOlder: () => void;
  /** Verifies the whole chain again, from the first row to the anchor. */
  verify: () => Promise<void>;
  reload: () => void;
  /** Keeps rows and report current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

const pageSize = 100;

export function createLedgerStore(bridge: AppBridge): StoreApi<LedgerState> {
  return createStore<LedgerState>((set, get) => {
    let readingOlder = false;

    /** A success of these reads does not remove the failure of the rows. */
    async function orFailure(read: () => Promise<void>): Promise<void> {
      await read().catch((error: unknown) => set({ failure: asFailure(error) }));
    }

    /** Reads a page of the current filter; undefined when the filter changed meanwhile. */
    async function page(beforeSeq: number | null) {
      const { filter } = get();
      const answer = await bridge.call('ledger.list', { beforeSeq, limit: pageSize, filter });
      return get().filter === filter ? answer : undefined;
    }

    const readNewest = readAgain(() =>
      readInto(set, async () => {
        const [newest, report] = await Promise.all([page(null), bridge.call('ledger.report', {})]);
        return { list: newest ? withNewest(get().list, newest) : get().list, report };
      }),
    );

    function show(change: Pick<LedgerState, 'filter' | 'form' | 'errors'>): void {
      set({ ...change, list: null, opened: new Set() });
      readNewest();
    }

    const readAgents = readAgain(() =>
      orFailure(async () => {
        const { agents } = await bridge.call('agents.get', {});
        set({ agents: agents.map(({ id, name, sinceMs }) => ({ id, name, sinceMs })) });
      }),
    );
    const readProfiles = readAgain(() =>
      orFailure(async () => set({ profiles: (await bridge.call('ledger.profiles', {})).items })),
    );

    async function readOlder(list: EntryList): Promise<void> {
      readingOlder = true;
      await orFailure(async () => {
        const older = await page(list.entries.at(-1)?.seq ?? null);
        const now = get().list;
        if (older && now) set({ list: withOlder(now, older), failure: null });
      }).finally(() => (readingOlder = false));
    }

    return {
      list: null,
      report: null,
      filter: everyRow,
      form: emptyForm,
      errors: {},
      agents: [],
      profiles: [],
      opened: new Set(),
      verifying: false,
      failure: null,
      filterBy(proposalId) {
        show({ filter: { ...everyRow, proposalId }, form: emptyForm, errors: {} });
      },
      setForm(change, zone) {
        const form = { ...get().form, ...change };
        const { filter, errors } = filterOf(form, zone);
        const { proposalId } = get().filter;
        show({ filter: { ...filter, proposalId }, form, errors });
      },
      toggle(row) {
        const opened = new Set(get().opened);
        if (!opened.delete(row)) opened.add(row);
        set({ opened });
      },
      readOlder() {
        const { list } = get();
        if (list && hasOlder(list) && !readingOlder) void readOlder(list);
      },
      async verify() {
        set({ verifying: true });
        await readInto(set, async () => ({ report: await bridge.call('ledger.verify', {}) })).finally(() =>
          set({ verifying: false }),
        );
      },
      reload: readNewest,
      start: () =>
        stopAll(
          followEvent(bridge, 'ledger.changed', readNewest),
          followEvent(bridge, 'agents.changed', readAgents),
          followEvent(bridge, 'ledger.changed', readProfiles),
        ),
    };
  });
}

export const ledgerStore = createLedgerStore(appBridge);
