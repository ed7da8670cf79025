import type { RetentionDays, AppOutput, LedgerFilter } from '#shared/app-api/index.ts';
import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile, type NewFile } from '#renderer/api/host-services.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createFileRun, type FileRunState } from '../file-run.ts';
import { followEvent, readAgain, readInto } from '../follow-core.ts';

interface Exported {
  kind: 'exported';
  name: string;
  rows: number;
}

export interface ExportState extends FileRunState<Exported> {
  begin: (filter: LedgerFilter) => Promise<void>;
}

export interface ExportStoreParts {
  bridge: AppBridge;
  newFile(name: string): Promise<NewFile | null>;
  nowMs(): number;
}

export function createExportStore({ bridge, newFile, nowMs }: ExportStoreParts): StoreApi<ExportState> {
  return createStore<ExportState>((set, get) => {
    const files = createFileRun<Exported>({ newFile, get, set });

    async function write(file: NewFile, filter: LedgerFilter): Promise<number> {
      let afterSeq: number | null = 0;
      let untilSeq: number | null = null;
      let rows = 0;
      while (afterSeq !== null) {
        const part: AppOutput<'ledger.export'> = await bridge.call('ledger.export', {
          afterSeq,
          untilSeq,
          filter,
        });
        if (files.isCancelled()) break;
        await file.add(part.text);
        rows += part.rows;
        files.progress('rows', rows, part.total);
        ({ next: afterSeq, untilSeq } = part);
      }
      return rows;
    }

    return {
      flow: { kind: 'idle' },
      begin: (filter) =>
        files.begin(async () => {
          let rows = 0;
          const saved = await files.fill(nameAt(nowMs()), async (file) => {
            rows = await write(file, filter);
          });
          return saved && { kind: 'exported', name: saved.name, rows };
        }),
      cancel: files.cancel,
      dismiss: files.dismiss,
    };
  });
}

function nameAt(nowMs: number): string {
  const moment = new Date(nowMs).toISOString();
  return `countersign-ledger-${moment.slice(0, 10)}-${moment.slice(11, 16).replace(':', '')}.jsonl`;
}

export interface RetentionDaysState<D extends number | null> {
  /** Null means forever. Undefined until the core has answered. */
  days: D | undefined;
  /** The value that waits for a confirmation, because fewer days delete details. */
  asked: D | undefined;
  failure: AppError | null;
  choose: (days: D) => void;
  confirm: () => Promise<void>;
  cancel: () => void;
  start: () => () => void;
}

export interface RetentionDaysParts<D> {
  read(): Promise<{ days: D }>;
  keep(days: D): Promise<{ days: D }>;
}

function createRetentionDaysStore<D extends number | null>(
  bridge: AppBridge,
  parts: RetentionDaysParts<D>,
): StoreApi<RetentionDaysState<D>> {
  return createStore<RetentionDaysState<D>>((set, get) => {
    const read = readAgain(() => readInto(set, parts.read));
    const keep = (days: D): Promise<boolean> => readInto(set, () => parts.keep(days));

    return {
      days: undefined,
      asked: undefined,
      failure: null,
      choose(days) {
        const now = get().days;
        if (now === undefined || days === now) return;
        if ((days ?? Infinity) < (now ?? Infinity)) set({ asked: days });
        else void keep(days);
      },
      async confirm() {
        const { asked } = get();
        if (asked === undefined) return;
        set({ asked: undefined });
        await keep(asked);
      },
      cancel: () => set({ asked: undefined }),
      start: () => followEvent(bridge, 'ledger.changed', read),
    };
  });
}

export const retentionDaysStore = createRetentionDaysStore<RetentionDays>(appBridge, {
  read: () => appBridge.call('ledger.retentionDays', {}),
  keep: (days) => appBridge.call('ledger.setRetentionDays', { days }),
});

export const copyDaysStore = createRetentionDaysStore<number>(appBridge, {
  read: () => appBridge.call('copies.days', {}),
  keep: (days) => appBridge.call('copies.setDays', { days }),
});

export const exportStore = createExportStore({ bridge: appBridge, newFile, nowMs: Date.now });
