import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import {
  type AgentView,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerProfile,
  type LedgerReport,
  everyRow,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { asFailure, followEvent, readAgain, readInto, stopAll } from '../follow-core.ts';
import { dayStartMs } from '#shared/campaign/index.ts';
import { isDate } from '#shared/lib/date-text.ts';

interface FilterForm {
  profileId: string;
  agentId: string;
  about: string;
  cid: string;
  /** First and last day, for example `2026-11-30`, in the zone of the service's days. */
  from: string;
  until: string;
}

export const emptyForm: FilterForm = { profileId: '', agentId: '', about: '', cid: '', from: '', until: '' };

type FormErrors = Partial<Record<keyof FilterForm, string>>;

/** Parses the form. An invalid field does not filter and is reported in `errors`. */
export function filterOf(form: FilterForm, zone: string): { filter: LedgerFilter; errors: FormErrors } {
  const { profileId, agentId, about } = form;
  const errors = errorsOf(form);
  const dayOf = (field: 'from' | 'until'): string | null =>
    form[field] === '' || errors[field] !== undefined ? null : form[field];
  const from = dayOf('from');
  const until = dayOf('until');
  const cid = errors.cid === undefined && form.cid.trim() !== '' ? Number(form.cid) : null;
  const filter = {
    ...everyRow,
    profileId: profileId === '' ? null : profileId,
    agentId: agentId === '' ? null : agentId,
    about: about === '' ? null : about,
    cid,
    fromMs: from === null ? null : dayStartMs(from, zone),
    untilMs: until === null ? null : dayStartMs(nextDate(until), zone),
  };
  return { filter, errors };
}

function errorsOf({ cid, from, until }: FilterForm): FormErrors {
  const errors: FormErrors = {};
  if (cid.trim() !== '' && !/^[1-9]\d{0,14}$/.test(cid.trim())) errors.cid = 'A campaign ID is a number.';
  if (from !== '' && !isDate(from)) errors.from = 'Write the day as 2026-11-30.';
  if (until !== '' && !isDate(until)) errors.until = 'Write the day as 2026-11-30.';
  else if (until !== '' && errors.from === undefined && until < from)
    errors.until = 'This is before the first day.';
  return errors;
}

export function isFiltering(filter: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}

export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

export interface EntryList {
  entries: readonly LedgerEntry[];
  total: number;
}

/** If the new page does not overlap the loaded rows, there is a gap between them, so the older rows are dropped. */
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

export function hasOlder(list: EntryList): boolean {
  return list.entries.length < list.total;
}

export type KnownAgent = Pick<AgentView, 'id' | 'name' | 'sinceMs'>;

export interface LedgerState {
  list: EntryList | null;
  report: LedgerReport | null;
  filter: LedgerFilter;
  form: FilterForm;
  errors: FormErrors;
  agents: readonly KnownAgent[];
  profiles: readonly LedgerProfile[];
  opened: ReadonlySet<number | string>;
  verifying: boolean;
  failure: AppError | null;

  /** Shows only the rows of a proposal, or all if null. Clears the other filters. */
  filterBy: (proposalId: string | null) => void;
  /** `zone` is the zone in which the form's days are read. */
  setForm: (change: Partial<FilterForm>, zone: string) => void;
  toggle: (row: number | string) => void;
  readOlder: () => void;
  verify: () => Promise<void>;
  reload: () => void;
  start: () => () => void;
}

const pageSize = 100;

export function createLedgerStore(bridge: AppBridge): StoreApi<LedgerState> {
  return createStore<LedgerState>((set, get) => {
    let readingOlder = false;

    /** Does not clear `failure` on success, because it may be about the rows. */
    async function orFailure(read: () => Promise<void>): Promise<void> {
      await read().catch((error: unknown) => set({ failure: asFailure(error) }));
    }

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

/** The rows of one change, newest first, or a single row that belongs to no change. */
export interface LedgerChange {
  /** Does not change when rows are added. */
  key: string;
  newest: LedgerEntry;
  rows: readonly LedgerEntry[];
}

export function storiesOf(entries: readonly LedgerEntry[]): LedgerChange[] {
  const groups = Map.groupBy(entries, ({ seq, proposalId }) => proposalId ?? `row ${seq}`);
  return [...groups].flatMap(([key, rows]) => {
    const [newest] = rows;
    return newest === undefined ? [] : [{ key, newest, rows }];
  });
}

const firstKind = 'proposal.proposed';

/** True if older rows of the change are not loaded. The first row of a change is always its proposal. */
export function isCut({ newest, rows }: LedgerChange, hasOlderRows: boolean): boolean {
  return hasOlderRows && newest.proposalId !== null && rows.at(-1)?.kind !== firstKind;
}
