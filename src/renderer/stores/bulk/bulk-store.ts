import { appBridge } from '#renderer/api/app-bridge.ts';
import { draftsStore, type DraftsStore } from '../drafts/drafts-store.ts';
import { serviceToday, sessionStore } from '../session-store.ts';
import { bulkFileStore } from './bulk-file-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, AppOutput, BulkPreview, BulkRow, BulkState } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, asFailure, createAct, followEvent, readAgain, stopAll } from '../follow-core.ts';
import { type BulkForm, emptyForm, readForm, type ReadForm } from './bulk-form.ts';

export type BulkShow = AppInput<'bulk.preview'>['show'];

export interface BulkPageState extends Acting<'start' | 'add'> {
  reads: BulkState | null;
  form: BulkForm;
  show: BulkShow;
  /** Rows by position. Null if the form contains no valid edit. */
  preview: (Omit<BulkPreview, 'rows'> & { rows: ReadonlyMap<number, BulkRow> }) | null;
  isStale: boolean;
  failure: AppError | null;
  /** The last added step. Null if it was undone or the form has changed since. */
  added: AppOutput<'bulk.addToDrafts'> | null;
  begin: (cids: readonly number[]) => Promise<boolean>;
  beginWithFile: () => Promise<void>;
  change: (change: Partial<BulkForm>) => void;
  setShow: (show: BulkShow) => void;
  showRows: (first: number, last: number) => void;
  readRest: () => Promise<void>;
  stopReading: () => Promise<void>;
  add: () => Promise<void>;
  undoAdded: () => Promise<void>;
  start: () => () => void;
}

const pageSize = 60;
const debounceMs = 150;

/** `today` is the service's day, YYYY-MM-DD. */
export function createBulkStore(
  bridge: AppBridge,
  drafts: DraftsStore,
  today: () => string,
): StoreApi<BulkPageState> {
  return createStore<BulkPageState>((set, get) => {
    const act = createAct<'start' | 'add'>(get, set);
    let generation = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let inView = { first: 0, last: 0 };
    const requestedOffsets = new Set<number>();

    async function readPage(read: ReadForm, offset: number): Promise<BulkPreview | null> {
      if (read.kind !== 'edit') return null;
      const mine = generation;
      requestedOffsets.add(offset);
      try {
        const { edit } = read;
        const page = await bridge.call('bulk.preview', { edit, show: get().show, offset, limit: pageSize });
        return mine === generation ? page : null;
      } catch (error) {
        const failure = asFailure(error);
        if (mine === generation) set({ failure, isStale: false, preview: null });
        return null;
      }
    }

    /** Drops pending answers, because they belong to another form or to other campaigns. */
    function dropPendingAnswers(): void {
      generation += 1;
      requestedOffsets.clear();
    }

    function reset(form: BulkForm): void {
      dropPendingAnswers();
      set({ reads: null, form, show: 'all', preview: null, added: null, failure: null });
    }

    async function refresh(): Promise<void> {
      dropPendingAnswers();
      const read = readForm(get().form, today());
      if (read.kind !== 'edit') {
        set({ preview: null, isStale: false, failure: null });
        return;
      }
      const page = await readPage(read, 0);
      if (page === null) return;
      set({ preview: withRows(page, 0, new Map()), isStale: false, failure: null });
      // Rows that were read in the meantime belong to the old preview.
      requestedOffsets.clear();
      requestedOffsets.add(0);
      showRows(inView.first, inView.last);
    }

    function showRows(first: number, last: number): void {
      inView = { first, last };
      const { preview, form, isStale } = get();
      // The next preview reads these rows.
      if (preview === null || isStale) return;
      for (let offset = first - (first % pageSize); offset <= last; offset += pageSize) {
        if (requestedOffsets.has(offset) || offset >= preview.total) continue;
        void readPage(readForm(form, today()), offset).then((page) => {
          const known = get().preview;
          if (page !== null && known !== null) set({ preview: withRows(page, offset, known.rows) });
        });
      }
    }

    async function readState(): Promise<void> {
      const before = get().reads;
      const reads = await bridge.call('bulk.state', {}).catch(() => null);
      set({ reads });
      const hasEnded = reads !== null && !reads.isReading && reads.read > 0;
      if (hasEnded && (before === null || before.isReading || before.read !== reads.read)) await refresh();
    }
    const followReads = readAgain(readState);

    return {
      reads: null,
      form: emptyForm,
      show: 'all',
      preview: null,
      isStale: false,
      failure: null,
      added: null,
      doing: null,
      refusal: null,
      async begin(cids) {
        reset(emptyForm);
        const begun = await act('start', () => bridge.call('bulk.start', { cids: [...cids] }));
        await readState();
        return begun !== null;
      },
      async beginWithFile() {
        reset({ ...emptyForm, subject: 'file' });
        await readState();
      },
      change(change) {
        dropPendingAnswers();
        set({ form: { ...get().form, ...change }, isStale: true, added: null, refusal: null });
        clearTimeout(timer);
        timer = setTimeout(() => void refresh(), debounceMs);
      },
      setShow(show) {
        set({ show, isStale: true });
        void refresh();
      },
      showRows,
      async readRest() {
        await bridge.call('bulk.readAgain', {});
        await readState();
      },
      async stopReading() {
        await bridge.call('bulk.stopReading', {});
        await readState();
      },
      async add() {
        const read = readForm(get().form, today());
        if (read.kind !== 'edit' || get().isStale) return;
        const added = await act('add', () => bridge.call('bulk.addToDrafts', { edit: read.edit }));
        if (added === null) return;
        // Clears the form, because adding the change again would apply it twice.
        set({ added, form: { ...emptyForm, subject: get().form.subject } });
        await refresh();
      },
      async undoAdded() {
        const { added } = get();
        const { newestStep, undo } = drafts.getState();
        if (added === null || added.step !== newestStep) return;
        set({ added: null });
        await undo();
      },
      start() {
        return stopAll(
          followEvent(bridge, 'campaigns.loading', followReads),
          followEvent(bridge, 'drafts.changed', () => void refresh()),
          () => clearTimeout(timer),
        );
      },
    };
  });
}

function withRows(
  { rows, ...preview }: BulkPreview,
  offset: number,
  known: ReadonlyMap<number, BulkRow>,
): NonNullable<BulkPageState['preview']> {
  const added = rows.map((row, index) => [offset + index, row] as const);
  return { ...preview, rows: new Map([...known, ...added]) };
}

export const bulkStore = createBulkStore(appBridge, draftsStore, () => serviceToday(sessionStore.getState()));

export async function openCampaignFile(file: File): Promise<boolean> {
  if (!(await bulkFileStore.getState().open(file))) return false;
  await bulkStore.getState().beginWithFile();
  return true;
}
