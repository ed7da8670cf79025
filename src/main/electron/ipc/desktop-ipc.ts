import type { InputSchema } from '#shared/errors/index.ts';
import {
  desktopApi,
  desktopChannel,
  desktopOrigins,
  type DesktopRequest,
  type VaultView,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Saver } from './saver.ts';
import type { Settings } from '../platform/settings.ts';
import type { AppPage } from './app-ipc.ts';
import type { Ipc } from './registrar.ts';

export interface DesktopIpcOptions {
  ipc: Ipc;
  core: Pick<CoreSupervisor, 'retry'>;
  appWindow: Pick<AppPage, 'webContents'>;
  /** Null when the person quits instead of going on without it. */
  vault: Promise<{ view(): VaultView; askConsent(): Promise<VaultView> } | null>;
  settings: Pick<Settings, 'set'>;
  copyDiagnostics(): Promise<void>;
  openDataFolder(): Promise<void>;
  copyText(text: string): void;
  saver: Saver;
}

const notOpened: VaultView = { kind: 'session', reason: 'unreadable' };

/** Serves what the app's page may ask of the host itself. Nothing here writes to a service or answers a confirmation. */
export function setUpDesktopIpc(options: DesktopIpcOptions): () => void {
  const { ipc, core, appWindow, vault, settings, saver } = options;
  const from = { webContents: () => appWindow.webContents(), origin: desktopOrigins.app };
  const stops: (() => void)[] = [];

  function serve<T>(name: DesktopRequest, schema: InputSchema<T>, run: (input: T) => unknown): void {
    stops.push(ipc.handle({ channel: desktopChannel(name), from, schema, run }));
  }

  serve('desktop.get', desktopApi['desktop.get'].input, async () => ({
    vault: (await vault)?.view() ?? notOpened,
  }));
  serve('desktop.retry', desktopApi['desktop.retry'].input, () => {
    core.retry();
    return null;
  });
  serve('desktop.keepSecrets', desktopApi['desktop.keepSecrets'].input, async () => ({
    vault: (await (await vault)?.askConsent()) ?? notOpened,
  }));
  serve('desktop.openDataFolder', desktopApi['desktop.openDataFolder'].input, async () => {
    await options.openDataFolder();
    return null;
  });
  serve('desktop.copyDiagnostics', desktopApi['desktop.copyDiagnostics'].input, async () => {
    await options.copyDiagnostics();
    return null;
  });
  serve('desktop.copyText', desktopApi['desktop.copyText'].input, ({ text }) => {
    options.copyText(text);
    return null;
  });
  serve('desktop.beginFile', desktopApi['desktop.beginFile'].input, async ({ name }) => ({
    name: await saver.begin(name),
  }));
  serve('desktop.addToFile', desktopApi['desktop.addToFile'].input, async ({ part }) => {
    await saver.add(part);
    return null;
  });
  serve('desktop.endFile', desktopApi['desktop.endFile'].input, async ({ keep }) => {
    await saver.end(keep);
    return null;
  });
  serve('desktop.setTheme', desktopApi['desktop.setTheme'].input, ({ theme }) => {
    settings.set('theme', theme);
    return null;
  });
  return () => stops.forEach((stop) => stop());
}
