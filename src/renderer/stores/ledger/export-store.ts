import type { AppBridge } from '#renderer/api/bridge.ts';
import type { NewFile } from '#renderer/api/new-file.ts';
import type { AppOutput, LedgerFilter } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** How far an export is. */
export type ExportFlow =
  | { kind: 'idle' }
  /** `total` is null until the first part is there. */
  | { kind: 'running'; rows: number; total: number | null }
  | { kind: 'done'; name: string; rows: number }
  | { kind: 'failed'; failure: AppError };

export interface ExportState {
  flow: ExportFlow;
  /** Writes every row that passes the filter into a new file. One export at a time. */
  begin: (filter: LedgerFilter) => Promise<void>;
  /** Ends the one under way; nothing of its file stays. */
  cancel: () => void;
  dismiss: () => void;
}

export type ExportStore = StoreApi<ExportState>;

export interface ExportStoreParts {
  bridge: AppBridge;
  /** Asks where the file shall go; null when none is wanted. Fails with an `AppError`. */
  newFile(name: string): Promise<NewFile | null>;
  nowMs(): number;
}

/** Makes the store of exports of the ledger. */
export function createExportStore({ bridge, newFile, nowMs }: ExportStoreParts): ExportStore {
  return createStore<ExportState>((set, get) => {
    /** The one under way until its file has ended, cancelled or not. */
    let run: { cancelled: boolean } | null = null;
    const isCancelled = (): boolean => run?.cancelled === true;

    /** Every row, part by part; null when somebody cancelled. */
    async function write(file: NewFile, filter: LedgerFilter): Promise<number | null> {
      let afterSeq = 0;
      let untilSeq: number | null = null;
      let rows = 0;
      for (;;) {
        const part: AppOutput<'ledger.export'> = await bridge.call('ledger.export', {
          afterSeq,
          untilSeq,
          filter,
        });
        if (isCancelled()) return null;
        await file.add(part.text);
        if (isCancelled()) return null;
        rows += part.rows;
        set({ flow: { kind: 'running', rows, total: part.total } });
        if (part.next === null) return rows;
        afterSeq = part.next;
        ({ untilSeq } = part);
      }
    }

    async function fill(file: NewFile, filter: LedgerFilter): Promise<ExportFlow> {
      let rows: number | null = null;
      try {
        rows = await write(file, filter);
      } finally {
        await file.end(rows !== null);
      }
      return rows === null ? { kind: 'idle' } : { kind: 'done', name: file.name, rows };
    }

    return {
      flow: { kind: 'idle' },
      async begin(filter) {
        if (run !== null) return;
        run = { cancelled: false };
        set({ flow: { kind: 'running', rows: 0, total: null } });
        try {
          const file = await newFile(nameAt(nowMs()));
          set({ flow: file === null ? { kind: 'idle' } : await fill(file, filter) });
        } catch (error) {
          set({ flow: { kind: 'idle' } });
          if (!(error instanceof AppError)) throw error;
          set({ flow: { kind: 'failed', failure: error } });
        } finally {
          run = null;
        }
      },
      cancel() {
        if (run === null) return;
        run.cancelled = true;
        set({ flow: { kind: 'idle' } });
      },
      dismiss() {
        if (get().flow.kind !== 'running') set({ flow: { kind: 'idle' } });
      },
    };
  });
}

/** The moment is that of the export, in UTC: `countersign-ledger-2026-11-30-1402.jsonl`. */
function nameAt(nowMs: number): string {
  const moment = new Date(nowMs).toISOString();
  return `countersign-ledger-${moment.slice(0, 10)}-${moment.slice(11, 16).replace(':', '')}.jsonl`;
}
