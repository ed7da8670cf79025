import type { InputSchema } from '#shared/errors/index.ts';
import {
  type Behaviour,
  desktopApi,
  desktopChannel,
  type DesktopRequest,
  type PagePlace,
  type RealWork,
  type UpdateStep,
  type UpdatesView,
  type VaultView,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Settings } from '../platform/settings.ts';
import { versionsNow } from '../platform/versions.ts';
import { type Ipc, type AppPage, appPageOf } from './registrar.ts';
import type { Saver } from './saver.ts';

/** The page that is served. */
interface ServedPage {
  ipc: Ipc;
  appWindow: Pick<AppPage, 'webContents'>;
}

/** Null when the person quits instead of going on without it. */
type OpeningVault = Promise<{ view(): VaultView; askConsent(): Promise<VaultView> } | null>;

type Serve = <R extends DesktopRequest>(
  name: R,
  run: (input: ReturnType<(typeof desktopApi)[R]['input']['parse']>) => unknown,
) => void;

/** Serves requests to one place's page only. Returns how to serve one, and how to end all. */
function servingTo(place: PagePlace, { ipc, appWindow }: ServedPage): { serve: Serve; stop: () => void } {
  const from = appPageOf(place, appWindow);
  const stops: (() => void)[] = [];
  return {
    serve(name, run) {
      // TypeScript cannot follow the pair of a name and its schema through the union of all.
      const schema = desktopApi[name].input as unknown as InputSchema<Parameters<typeof run>[0]>;
      stops.push(ipc.handle({ channel: desktopChannel(place, name), from, schema, run }));
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}

export interface DesktopIpcOptions extends ServedPage {
  place: PagePlace;
  core: Pick<CoreSupervisor, 'retry'>;
  vault: OpeningVault;
  settings: Pick<Settings, 'set'>;
  copyDiagnostics(): Promise<void>;
  openDataFolder(): Promise<void>;
  copyText(text: string): void;
  openChromiumNotices(): Promise<void>;
  saver: Pick<Saver, 'begin' | 'add' | 'end'>;
}

const notOpened: VaultView = { kind: 'session', reason: 'unreadable' };

/** Serves what every app's page may ask of the host itself. Nothing here writes to a service or answers a confirmation. */
export function setUpDesktopIpc(options: DesktopIpcOptions): () => void {
  const { place, core, vault, settings, saver } = options;
  const { serve, stop } = servingTo(place, options);
  serve('desktop.get', async () => ({ vault: (await vault)?.view() ?? notOpened }));
  serve('desktop.retry', () => {
    core.retry();
    return null;
  });
  serve('desktop.openDataFolder', async () => {
    await options.openDataFolder();
    return null;
  });
  serve('desktop.copyDiagnostics', async () => {
    await options.copyDiagnostics();
    return null;
  });
  serve('desktop.copyText', ({ text }) => {
    options.copyText(text);
    return null;
  });
  serve('desktop.versions', () => ({ versions: versionsNow() }));
  serve('desktop.openChromiumNotices', async () => {
    await options.openChromiumNotices();
    return null;
  });
  serve('desktop.beginFile', async ({ name }) => ({ file: await saver.begin(name) }));
  serve('desktop.addToFile', async ({ id, part }) => {
    await saver.add(id, part);
    return null;
  });
  serve('desktop.endFile', async ({ id, keep }) => {
    await saver.end(id, keep);
    return null;
  });
  serve('desktop.setTheme', ({ theme }) => {
    settings.set('theme', theme);
    return null;
  });
  return stop;
}

export interface WorkIpcOptions extends ServedPage {
  vault: OpeningVault;
  onFirstRows(): void;
  openTraining(): void;
  diagnostics(): Promise<string>;
  behaviour: { now(): Behaviour; change(change: BehaviourChange): Behaviour };
  updates: { view(): UpdatesView; step(step: UpdateStep): void; setDaily(daily: boolean): void };
}

type BehaviourChange = ReturnType<(typeof desktopApi)['desktop.setBehaviour']['input']['parse']>;

/** Serves what the real app's page alone may ask of the host. */
export function setUpWorkIpc(options: WorkIpcOptions): () => void {
  const { vault, onFirstRows, openTraining, diagnostics, behaviour, updates, ...page } = options;
  const { serve, stop } = servingTo('work', page);
  serve('desktop.keepSecrets', async () => ({ vault: (await (await vault)?.askConsent()) ?? notOpened }));
  serve('desktop.firstRows', () => {
    onFirstRows();
    return null;
  });
  serve('desktop.openTraining', () => {
    openTraining();
    return null;
  });
  serve('desktop.diagnostics', async () => ({ text: await diagnostics() }));
  serve('desktop.behaviour', () => behaviour.now());
  serve('desktop.setBehaviour', behaviour.change);
  serve('desktop.updates', () => updates.view());
  serve('desktop.stepUpdates', ({ step }) => {
    updates.step(step);
    return null;
  });
  serve('desktop.setDailyUpdates', ({ daily }) => {
    updates.setDaily(daily);
    return null;
  });
  return stop;
}

export interface TrainingIpcOptions extends ServedPage {
  realWork(): RealWork;
  reviewReal(): Promise<void>;
  stopRealAgents(): Promise<void>;
}

/** Serves what the training page may ask about the real work: to see that some waits, to be shown it, and to stop it. */
export function setUpTrainingIpc(options: TrainingIpcOptions): () => void {
  const { serve, stop } = servingTo('training', options);
  serve('desktop.realWork', () => options.realWork());
  serve('desktop.reviewReal', async () => {
    await options.reviewReal();
    return null;
  });
  serve('desktop.stopRealAgents', async () => {
    await options.stopRealAgents();
    return null;
  });
  return stop;
}
