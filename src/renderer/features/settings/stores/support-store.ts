import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile, type NewFile } from '#renderer/api/host-services.ts';
import { desktopHost, type DesktopHost } from '#renderer/api/desktop-host.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { AppError } from '#shared/errors/index.ts';
import { createFileRun, type FileRunState } from '#renderer/stores/file-run.ts';
import type { Behaviour } from '#shared/host-api/index.ts';
import { asFailure, readInto } from '#renderer/stores/follow-core.ts';

interface SupportState extends FileRunState {
  text: string | null;
  failure: AppError | null;
  collect: () => Promise<void>;
  save: () => Promise<void>;
  close: () => void;
}

interface SupportStoreParts {
  bridge: AppBridge;
  newFile(name: string): Promise<NewFile | null>;
  hostDiagnostics: (() => Promise<string>) | null;
  nowMs(): number;
}

const partText = (part: string | AppError): string =>
  typeof part === 'string' ? part : `A part could not be collected: ${part.message} (${part.code})`;

export function createSupportStore(parts: SupportStoreParts): StoreApi<SupportState> {
  const { bridge, newFile, hostDiagnostics, nowMs } = parts;
  return createStore<SupportState>((set, get) => {
    const files = createFileRun({ newFile, get, set });
    return {
      text: null,
      failure: null,
      flow: { kind: 'idle' },
      async collect() {
        set({ failure: null });
        const ofHost = await hostDiagnostics?.().catch(asFailure);
        const ofCore = await bridge.call('data.diagnostics', {}).then(({ text }) => text, asFailure);
        const collected = [ofCore, ofHost].filter((part) => part !== undefined);
        // One half is enough: a bundle is needed most while one process fails.
        if (ofCore instanceof AppError && typeof ofHost !== 'string') set({ failure: ofCore });
        else set({ text: collected.map(partText).join('\n\n') });
      },
      save: () =>
        files.begin(() =>
          files.fill(
            `countersign-support-${new Date(nowMs()).toISOString().slice(0, 10)}.txt`,
            async (file) => {
              await file.add(`${get().text ?? ''}\n`);
            },
          ),
        ),
      close() {
        files.dismiss();
        set({ text: null });
      },
      cancel: files.cancel,
      dismiss: files.dismiss,
    };
  });
}

// A local constant keeps its narrowed type inside the function below.
const host = desktopHost;

export const supportStore = createSupportStore({
  bridge: appBridge,
  newFile,
  hostDiagnostics: host && (async () => (await host.ask('desktop.diagnostics', {})).text),
  nowMs: Date.now,
});

interface BehaviourState {
  behaviour: Behaviour | null;
  failure: AppError | null;
  read: () => Promise<void>;
  change: (change: Partial<Behaviour>) => Promise<void>;
}

export const behaviourStore = createStore<BehaviourState>((set) => {
  async function attempt(work: (host: DesktopHost) => Promise<Behaviour>): Promise<void> {
    if (host !== null) await readInto(set, async () => ({ behaviour: await work(host) }));
  }
  return {
    behaviour: null,
    failure: null,
    read: () => attempt((present) => present.ask('desktop.behaviour', {})),
    change: (change) => attempt((present) => present.ask('desktop.setBehaviour', change)),
  };
});
