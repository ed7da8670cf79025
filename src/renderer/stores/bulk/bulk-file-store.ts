import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile, type NewFile } from '#renderer/api/host-services.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, createAct } from '../follow-core.ts';
import { partsOf, createFileRun, type FileRunState } from '../file-run.ts';

type ReadFile = NonNullable<AppOutput<'bulk.file'>>;

/** Options for reading a file. Null detects the option. */
export type FileReading = Omit<AppInput<'bulk.fileRead'>, 'id'>;

export interface BulkFileState extends Acting<'open' | 'read'>, FileRunState {
  read: ReadFile | null;
  reading: FileReading;
  refused: { id: string; name: string; reading: FileReading } | null;
  tooLong: AppOutput<'bulk.exportPart'>['tooLong'];
  fields: readonly string[];
  isChoosing: boolean;
  chooseColumns: (isChoosing: boolean) => void;
  chooseField: (field: string, isChosen: boolean) => void;
  open: (file: File) => Promise<boolean>;
  readAs: (change: Partial<FileReading>) => Promise<boolean>;
  refresh: () => Promise<void>;
  save: () => Promise<void>;
}

export interface BulkFileStoreParts {
  bridge: AppBridge;
  newFile(name: string): Promise<NewFile | null>;
}

const partBytes = 256 * 1024;
const detect: FileReading = {
  encoding: null,
  separator: null,
  decimals: null,
  dates: null,
  rounded: null,
  lost: null,
};
const defaultFields = ['name', 'status', 'payout', 'd_revenue', 't_revenue', 'expire', 'clickurl', 'website'];

export function createBulkFileStore({ bridge, newFile }: BulkFileStoreParts): StoreApi<BulkFileState> {
  return createStore<BulkFileState>((set, get) => {
    const act = createAct<'open' | 'read'>(get, set);
    const { begin, fill, progress, isCancelled, cancel, dismiss } = createFileRun({ newFile, get, set });

    async function refresh(): Promise<void> {
      set({ read: await bridge.call('bulk.file', {}) });
    }

    async function read(id: string, reading: FileReading): Promise<void> {
      await bridge.call('bulk.fileRead', { id, ...reading });
      set({ reading, refused: null });
      await refresh();
    }

    return {
      flow: { kind: 'idle' },
      doing: null,
      refusal: null,
      read: null,
      reading: detect,
      refused: null,
      tooLong: [],
      fields: defaultFields,
      isChoosing: false,
      chooseColumns: (isChoosing) => set({ isChoosing }),
      chooseField: (field, isChosen) =>
        set({ fields: [...get().fields.filter((one) => one !== field), ...(isChosen ? [field] : [])] }),
      async open(file) {
        // The message about the saved file refers to other campaigns.
        if (get().flow.kind === 'saved') dismiss();
        set({ refused: null });
        let id = '';
        const done = await act('open', async () => {
          ({ id } = await bridge.call('bulk.fileStart', { name: file.name.slice(0, 300) }));
          for await (const bytes of partsOf(file, partBytes))
            await bridge.call('bulk.filePart', { id, bytes });
          await read(id, detect);
          return {};
        });
        if (get().refusal?.failure.code === 'csv_unreadable')
          set({ refused: { id, name: file.name, reading: detect } });
        return done !== null;
      },
      async readAs(change) {
        const { read: known, reading, refused } = get();
        const id = refused?.id ?? known?.id;
        if (id === undefined) return false;
        const next = { ...(refused?.reading ?? reading), ...change };
        const done = await act('read', async () => {
          if (refused !== null) set({ refused: { ...refused, reading: next } });
          await read(id, next);
          return {};
        });
        return done !== null;
      },
      refresh,
      save: () =>
        begin(() =>
          fill('countersign-campaigns.csv', async (file) => {
            const fields = [...get().fields];
            set({ tooLong: [] });
            for (let offset: number | null = 0; offset !== null && !isCancelled();) {
              const part: AppOutput<'bulk.exportPart'> = await bridge.call('bulk.exportPart', {
                fields,
                offset,
              });
              await file.add(part.text);
              set({ tooLong: [...get().tooLong, ...part.tooLong] });
              progress('rows', part.next ?? part.total, part.total);
              offset = part.next;
            }
          }),
        ),
      cancel,
      dismiss,
    };
  });
}

export const campaignFileTypes = '.csv,.tsv,.txt,text/csv';

export const bulkFileStore = createBulkFileStore({ bridge: appBridge, newFile });
