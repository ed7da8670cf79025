import { callHandler, type HandlersOf, type RequestMap } from '#shared/app-api/index.ts';
import {
  type Behaviour,
  desktopApi,
  type DesktopApi,
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

type Handlers<P extends PagePlace> = HandlersOf<DesktopApi[P]>;

/** The requests that every app's page has. */
type CommonRequest = keyof DesktopApi['work'] & keyof DesktopApi['training'];

export interface DesktopIpcOptions<P extends PagePlace> {
  ipc: Ipc;
  place: P;
  appWindow: Pick<AppPage, 'webContents'>;
  handlers: Handlers<P>;
}

/** Serves what a place's page, and no other, may ask of the host itself. Returns the unsubscribe function. */
export function setUpDesktopIpc<P extends PagePlace>(options: DesktopIpcOptions<P>): () => void {
  const { ipc, place, appWindow } = options;
  const handlers: object = options.handlers;
  return ipc.handle<RequestMap>({
    surface: 'host',
    from: appPageOf(place, appWindow),
    requests: desktopApi[place],
    answer: (name, input) => callHandler(handlers, name as keyof typeof handlers, input),
  });
}

/** Null when the person quits instead of going on without it. */
type OpeningVault = Promise<{ view(): VaultView; askConsent(): Promise<VaultView> } | null>;

const notOpened: VaultView = { kind: 'session', reason: 'unreadable' };

export interface CommonHandlerOptions {
  core: Pick<CoreSupervisor, 'retry' | 'state'>;
  vault: OpeningVault;
  settings: Pick<Settings, 'set'>;
  copyDiagnostics(): Promise<void>;
  openDataFolder(): Promise<void>;
  copyText(text: string): void;
  openChromiumNotices(): Promise<void>;
  saver: Pick<Saver, 'begin' | 'add' | 'end'>;
}

/** Answers what every app's page may ask. */
export function commonHandlers(options: CommonHandlerOptions): Pick<Handlers<'work'>, CommonRequest> {
  const { core, vault, settings, saver } = options;
  return {
    'desktop.get': async () => ({ vault: (await vault)?.view() ?? notOpened }),
    'desktop.coreState': () => core.state(),
    'desktop.retry': () => core.retry(),
    'desktop.openDataFolder': () => options.openDataFolder(),
    'desktop.copyDiagnostics': () => options.copyDiagnostics(),
    'desktop.copyText': ({ text }) => options.copyText(text),
    'desktop.versions': () => ({ versions: versionsNow() }),
    'desktop.openChromiumNotices': () => options.openChromiumNotices(),
    'desktop.beginFile': async ({ name }) => ({ file: await saver.begin(name) }),
    'desktop.addToFile': ({ id, part }) => saver.add(id, part),
    'desktop.endFile': ({ id, keep }) => saver.end(id, keep),
    'desktop.setTheme': ({ theme }) => settings.set('theme', theme),
  };
}

export interface WorkHandlerOptions {
  vault: OpeningVault;
  onFirstRows(): void;
  openTraining(): void;
  diagnostics(): Promise<string>;
  behaviour: {
    now(): Behaviour;
    change: Handlers<'work'>['desktop.setBehaviour'];
  };
  updates: { view(): UpdatesView; step(step: UpdateStep): void; setDaily(daily: boolean): void };
}

/** Answers what the real app's page alone may ask. */
export function workHandlers(options: WorkHandlerOptions): Omit<Handlers<'work'>, CommonRequest> {
  const { vault, behaviour, updates } = options;
  return {
    'desktop.keepSecrets': async () => ({ vault: (await (await vault)?.askConsent()) ?? notOpened }),
    'desktop.firstRows': () => options.onFirstRows(),
    'desktop.openTraining': () => options.openTraining(),
    'desktop.diagnostics': async () => ({ text: await options.diagnostics() }),
    'desktop.behaviour': () => behaviour.now(),
    'desktop.setBehaviour': behaviour.change,
    'desktop.updates': () => updates.view(),
    'desktop.stepUpdates': ({ step }) => updates.step(step),
    'desktop.setDailyUpdates': ({ daily }) => updates.setDaily(daily),
  };
}

export interface TrainingHandlerOptions {
  realWork(): RealWork;
  reviewReal(): Promise<void>;
  stopRealAgents(): Promise<void>;
}

/** Answers what the training page may ask about the real work: to see that some waits, to be shown it, and to stop it. */
export function trainingHandlers(options: TrainingHandlerOptions): Omit<Handlers<'training'>, CommonRequest> {
  return {
    'desktop.realWork': () => options.realWork(),
    'desktop.reviewReal': () => options.reviewReal(),
    'desktop.stopRealAgents': () => options.stopRealAgents(),
  };
}
