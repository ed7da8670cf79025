import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText, copyPicture, newFile, type NewFile } from '#renderer/api/host-services.ts';
import { formatsIn, sessionStore } from '#renderer/stores/session-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, ReportPage } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { incompleteDayOf, reportFile, totalLabel } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure } from '#renderer/stores/follow-core.ts';
import { createFileRun, type FileFlow, type FileRunState } from '#renderer/stores/file-run.ts';
import { tableFacts, tableFileName, tableShape, type FileOrigin, type ShownTable } from './table-file.ts';
import type { Formats } from '#shared/lib/formats.ts';

export { canCopyPicture } from '#renderer/api/host-services.ts';

/** `skipped` counts rows beyond the limit of the clipboard. */
export type FilesFlow = FileFlow | Copied;

type Copied =
  | {
      kind: 'copied';
      rows: number;
      skipped: number;
      incompleteDay: string | null;
    }
  | { kind: 'picture-copied' };

export interface FilesState extends FileRunState<Copied> {
  printed: ReportPage | null;
  saveTable: (table: ShownTable, origin: FileOrigin) => Promise<void>;
  copyTable: (table: ShownTable) => Promise<void>;
  savePicture: (name: string, picture: () => Promise<Blob>) => Promise<void>;
  copyPicture: (picture: () => Promise<Blob>) => Promise<void>;
  saveServiceFile: (input: AppInput<'reports.exportStart'>) => Promise<void>;
  readForPrint: (table: ShownTable) => Promise<void>;
  clearPrinted: () => void;
}

export type FilesStore = StoreApi<FilesState>;

export interface FilesStoreParts {
  bridge: AppBridge;
  copyText(text: string): Promise<void>;
  copyPicture(picture: Blob): Promise<void>;
  newFile(name: string): Promise<NewFile | null>;
  formats(): Formats;
}

const atOnce = 500;
const maxCopiedRows = 10_000;

export function createFilesStore({
  bridge,
  copyText,
  copyPicture,
  newFile,
  formats,
}: FilesStoreParts): FilesStore {
  return createStore<FilesState>((set, get) => {
    const { begin, fill, progress, isCancelled, cancel, dismiss } = createFileRun<Copied>({
      newFile,
      get,
      set,
    });

    const readPage = ({ query, expanded }: ShownTable, offset: number): Promise<ReportPage> =>
      bridge.call('reports.page', {
        query,
        expanded: expanded.map((path) => [...path]),
        offset,
        limit: atOnce,
        read: 'none',
      });

    async function eachPage(
      table: ShownTable,
      first: ReportPage,
      { maxRows, add }: { maxRows: number; add: (page: ReportPage) => Promise<void> },
    ): Promise<void> {
      const all = Math.min(first.rowCount, maxRows);
      let page = first;
      for (let offset = 0; ;) {
        if (isCancelled()) return;
        await add(page);
        offset += page.rows.length;
        progress('rows', offset, all);
        if (offset >= all || page.rows.length === 0) return;
        page = await readPage(table, offset);
        // A file must not mix two readings.
        if (page.version !== first.version) {
          throw new AppError('report_export_ended', {
            message: 'The figures changed while they were written.',
          });
        }
      }
    }

    return {
      flow: { kind: 'idle' },
      printed: null,
      saveTable: (table, origin) =>
        begin(async () => {
          const first = await readPage(table, 0);
          const { shape, rowOf } = tableShape(first, table, formats());
          const text = reportFile('csv', shape);
          return fill(tableFileName(first, table.query, 'csv'), async (file) => {
            await file.add(text.facts(tableFacts(first, table.query, origin)) + text.head);
            const add = async ({ rows }: ReportPage): Promise<void> =>
              file.add(text.rows(counted(rows).map(rowOf)));
            await eachPage(table, first, { maxRows: Infinity, add });
            const { values, compared } = rowOf({
              path: [],
              values: first.totals,
              compared: first.comparedTotals,
              unlike: [],
            });
            await file.add(text.total(totalLabel(table.query, formats()), { values, compared }));
          });
        }),
      copyTable: (table) =>
        begin(async () => {
          const first = await readPage(table, 0);
          const { shape, rowOf } = tableShape(first, table, formats());
          const text = reportFile('tsv', shape);
          let lines = text.head;
          let rows = 0;
          const add = async (page: ReportPage): Promise<void> => {
            const shown = counted(page.rows);
            lines += text.rows(shown.map(rowOf));
            rows += shown.length;
          };
          await eachPage(table, first, { maxRows: maxCopiedRows, add });
          if (isCancelled()) return null;
          await copyText(lines);
          const day = incompleteDayOf(first);
          const isCopied = day !== null && (day.isCounted || table.query.levels.includes('date'));
          return {
            kind: 'copied',
            rows,
            skipped: first.rowCount - first.excludedCount - rows,
            incompleteDay: isCopied ? day.date : null,
          };
        }),
      savePicture: (name, picture) =>
        begin(() =>
          fill(name, async (file) => file.add(new Uint8Array(await (await picture()).arrayBuffer()))),
        ),
      copyPicture: (picture) =>
        begin(async () => {
          await copyPicture(await picture());
          return { kind: 'picture-copied' };
        }),
      saveServiceFile: (input) =>
        begin(async (cancelled) => {
          const { id, name } = await bridge.call('reports.exportStart', input);
          // The current part may take minutes, so the core is asked to end it at once.
          cancelled.addEventListener(
            'abort',
            () => void bridge.call('reports.exportEnd', { id }).catch(asFailure),
          );
          try {
            return await fill(name, async (file) => {
              for (let isDone = false; !isDone && !isCancelled();) {
                const part = await bridge.call('reports.exportPart', { id });
                await file.add(part.text);
                progress('bytes', part.receivedBytes, null);
                isDone = part.done;
              }
            });
          } finally {
            await bridge.call('reports.exportEnd', { id });
          }
        }),
      readForPrint: (table) =>
        begin(async () => {
          set({ printed: await readPage(table, 0) });
          return null;
        }),
      clearPrinted: () => set({ printed: null }),
      cancel,
      dismiss,
    };
  });
}

function counted(rows: ReportPage['rows']): ReportPage['rows'] {
  return rows.filter(({ excluded }) => !excluded);
}

export const filesStore = createFilesStore({
  bridge: appBridge,
  copyText,
  copyPicture,
  newFile,
  formats: () => formatsIn(sessionStore.getState()),
});
