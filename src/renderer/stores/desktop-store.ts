import { desktopHost, type DesktopHost } from '#renderer/api/desktop-host.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '#shared/errors/index.ts';
import type { ThemeChoice, VaultView, UpdateStep, UpdatesView } from '#shared/host-api/index.ts';
import { readInto } from './follow-core.ts';

export interface DesktopState {
  present: boolean;
  vault: VaultView | null;
  noticeRead: boolean;
  copied: boolean;
  failure: AppError | null;
  start: () => Promise<void>;
  retry: () => Promise<void>;
  keepSecrets: () => Promise<void>;
  dismissNotice: () => void;
  openDataFolder: () => Promise<void>;
  copyDiagnostics: () => Promise<void>;
  setTheme: (theme: ThemeChoice) => Promise<void>;
}

export type DesktopStore = StoreApi<DesktopState>;

export function createDesktopStore(host: DesktopHost | null): DesktopStore {
  return createStore<DesktopState>((set) => {
    async function change(act: (host: DesktopHost) => Promise<Partial<DesktopState>>): Promise<void> {
      if (host !== null) await readInto(set, () => act(host));
    }
    const ask = (
      act: (host: DesktopHost) => Promise<unknown>,
      then: Partial<DesktopState> = {},
    ): Promise<void> =>
      change(async (present) => {
        await act(present);
        return then;
      });

    return {
      present: host !== null,
      vault: null,
      noticeRead: false,
      copied: false,
      failure: null,
      start: () => change((present) => present.ask('desktop.get', {})),
      retry: () => ask((present) => present.ask('desktop.retry', {}), { copied: false }),
      keepSecrets: () => change((present) => present.ask('desktop.keepSecrets', {})),
      dismissNotice: () => set({ noticeRead: true }),
      openDataFolder: () => ask((present) => present.ask('desktop.openDataFolder', {})),
      copyDiagnostics: () => ask((present) => present.ask('desktop.copyDiagnostics', {}), { copied: true }),
      setTheme: (theme) => ask((present) => present.ask('desktop.setTheme', { theme })),
    };
  });
}

export interface VaultNotice {
  why: string;
  mayKeep: boolean;
}

/** Null if secrets are stored safely or the notice was dismissed. */
export function vaultNotice({
  vault,
  noticeRead,
}: Pick<DesktopState, 'vault' | 'noticeRead'>): VaultNotice | null {
  if (vault?.kind !== 'session' || noticeRead) return null;
  return { why: reasons[vault.reason], mayKeep: vault.reason === 'weak' };
}

const reasons: Record<Extract<VaultView, { kind: 'session' }>['reason'], string> = {
  weak: 'This system has no keyring that protects secrets. Countersign can keep them in a file instead, if you want.',
  missing: 'No keychain of this system can be used.',
  unreadable:
    'The keychain of this system did not open the key that secrets are kept with. What is stored stays as it is; the next start tries again.',
};

export const desktopStore = createDesktopStore(desktopHost);

interface UpdatesStoreState {
  /** Null if unknown, or if the app cannot update itself. */
  view: UpdatesView | null;
  failure: AppError | null;
  start: () => () => void;
  step: (step: UpdateStep) => Promise<void>;
  setDaily: (daily: boolean) => Promise<void>;
}

export type UpdatesHost = Pick<DesktopHost, 'ask' | 'onUpdates'>;

export function createUpdatesStore(host: UpdatesHost | null): StoreApi<UpdatesStoreState> {
  return createStore<UpdatesStoreState>((set) => {
    async function run(ask: (present: UpdatesHost) => Promise<unknown>): Promise<void> {
      await readInto(set, async () => {
        if (host !== null) await ask(host);
        return {};
      });
    }

    return {
      view: null,
      failure: null,
      start() {
        if (host === null) return () => {};
        let isOutdated = false;
        const stop = host.onUpdates((view) => {
          isOutdated = true;
          set({ view });
        });
        // A change that arrives before the answer is newer than the answer.
        void readInto(set, async () => {
          const view = await host.ask('desktop.updates', {});
          return isOutdated ? {} : { view };
        });
        return stop;
      },
      step: (step) => run((present) => present.ask('desktop.stepUpdates', { step })),
      setDaily: (daily) => run((present) => present.ask('desktop.setDailyUpdates', { daily })),
    };
  });
}

export const updatesStore = createUpdatesStore(desktopHost);
