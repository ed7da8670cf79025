import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile, type NewFile } from '#renderer/api/host-services.ts';
import { sessionStore, type ReloadPlace } from './session-store.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { type AppOutput, deletionWord, type RestoreView } from '#shared/app-api/index.ts';
import { type Acting, createAct, followEvent, readAgain, readOrKeep, stopAll } from './follow-core.ts';
import { fromBase64, partsOf, createFileRun, type FileRunState } from './file-run.ts';

export type RestoreFlow =
  | { kind: 'idle' }
  | { kind: 'checking'; name: string }
  | { kind: 'checked'; id: string; name: string; found: RestoreView }
  | { kind: 'restoring' };

export type DataAction = 'check' | 'restore' | 'delete';

export interface DataState extends Acting<DataAction>, FileRunState {
  view: AppOutput<'data.get'> | null;
  restore: RestoreFlow;
  backUp: () => Promise<void>;
  check: (file: File) => Promise<void>;
  dropRestore: () => Promise<void>;
  restoreChecked: () => Promise<void>;
  deleteAll: () => Promise<void>;
  /** Reloads the page if other data has replaced the data that it shows. Returns the unsubscribe function. */
  start: () => () => void;
}

export interface DataStoreParts {
  bridge: AppBridge;
  newFile(name: string): Promise<NewFile | null>;
  reload(place: ReloadPlace): void;
}

/** Must be well below the message limit of every host. */
const partBytes = 384 * 1024;

export function createDataStore({ bridge, newFile, reload }: DataStoreParts): StoreApi<DataState> {
  return createStore<DataState>((set, get) => {
    const act = createAct<DataAction>(get, set);
    const files = createFileRun({ newFile, get, set });
    let isDeleted = false;
    // Fails while the core restarts. The next connection reads again.
    const read = readAgain(() => readOrKeep(set, async () => ({ view: await bridge.call('data.get', {}) })));

    async function fetchInto(file: NewFile, { id, bytes }: { id: string; bytes: number }): Promise<void> {
      for (let offset: number | null = 0; offset !== null && !files.isCancelled();) {
        const part: AppOutput<'data.backupPart'> = await bridge.call('data.backupPart', { id, offset });
        await file.add(fromBase64(part.bytes));
        files.progress('bytes', part.next ?? bytes, bytes);
        offset = part.next;
      }
    }

    return {
      view: null,
      doing: null,
      refusal: null,
      restore: { kind: 'idle' },
      flow: { kind: 'idle' },
      backUp: () =>
        files.begin(async () => {
          const made = await bridge.call('data.backupStart', {});
          let isSaved = false;
          try {
            const saved = await files.fill(made.name, (file) => fetchInto(file, made));
            isSaved = saved !== null && !files.isCancelled();
            return saved;
          } finally {
            await bridge.call('data.backupEnd', { id: made.id, isSaved });
            read();
          }
        }),
      async check(file) {
        set({ restore: { kind: 'checking', name: file.name } });
        const checked = await act('check', async () => {
          const { id } = await bridge.call('data.restoreStart', {});
          for await (const bytes of partsOf(file, partBytes))
            await bridge.call('data.restorePart', { id, bytes });
          return { id, found: await bridge.call('data.restoreCheck', { id }) };
        });
        set({
          restore: checked === null ? { kind: 'idle' } : { kind: 'checked', name: file.name, ...checked },
        });
      },
      async dropRestore() {
        set({ restore: { kind: 'idle' } });
        await act('check', () => bridge.call('data.restoreDrop', {}));
      },
      async restoreChecked() {
        const { restore } = get();
        if (restore.kind !== 'checked') return;
        set({ restore: { kind: 'restoring' } });
        isDeleted = false;
        const begun = await act('restore', () => bridge.call('data.restore', { id: restore.id }));
        if (begun === null) set({ restore });
      },
      async deleteAll() {
        // The new data may arrive before the answer, and the answer may be lost with the core.
        isDeleted = true;
        const begun = await act('delete', () => bridge.call('data.delete', { word: deletionWord }));
        if (begun === null) isDeleted = get().refusal?.failure.code === 'core_unreachable';
      },
      cancel: files.cancel,
      dismiss() {
        files.dismiss();
        set({ refusal: null });
      },
      start: () => {
        const stopReading = followEvent(bridge, 'status.changed', read);
        const stopLoading = bridge.subscribe(({ kind }) => {
          if (kind !== 'data.replaced') return;
          // The app starts like a new installation and remembers nothing.
          if (isDeleted) localStorage.clear();
          reload(isDeleted ? 'campaigns' : 'same page');
        });
        return stopAll(stopReading, stopLoading);
      },
    };
  });
}

export const dataStore = createDataStore({
  bridge: appBridge,
  newFile,
  reload: (place) => sessionStore.getState().reload(place),
});
