import {
  appApi,
  type AppRequest,
  callHandler,
  type HandlersOf,
  type RequestDefinition,
  type RequestMap,
} from '#shared/app-api/index.ts';
import {
  appPushes,
  type Behaviour,
  desktopApi,
  type DesktopApi,
  type PagePlace,
  type UpdateStep,
  type UpdatesView,
  type VaultView,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import type { Settings } from '../platform/settings.ts';
import { versionsNow } from '../platform/versions.ts';
import { type Ipc, type AppPage, appPageOf } from './registrar.ts';
import type { FileSaver } from './saver.ts';

export interface AppIpcOptions {
  ipc: Ipc;
  place: PagePlace;
  core: Pick<CoreSupervisor, 'ask' | 'onEvent' | 'onState'>;
  appWindow: AppPage;
  onReview(proposalId: string): void;
}

export function setUpAppIpc({ ipc, place, core, appWindow, onReview }: AppIpcOptions): () => void {
  const stops = [
    ipc.handle({
      surface: 'app',
      from: appPageOf(place, appWindow),
      requests: appApi,
      async answer(name, input) {
        const output = await core.ask('app', name, input);
        const proposalId = askedToSee(name, input, output);
        if (proposalId !== null) onReview(proposalId);
        return output;
      },
    }),
    core.onEvent((event) => appWindow.send(appPushes.event, event)),
    core.onState((state) => appWindow.send(appPushes.coreState, state)),
  ];
  return () => stops.forEach((stop) => stop());
}

function askedToSee(name: AppRequest, input: unknown, output: unknown): string | null {
  const definition: RequestDefinition = appApi[name];
  if (definition.shows !== true) return null;
  const { id } = definition.output.parse(output) as { id?: string | null };
  return id === undefined ? (input as { id: string }).id : id;
}

type Handlers<P extends PagePlace> = HandlersOf<DesktopApi[P]>;

type CommonRequest = keyof DesktopApi['work'] & keyof DesktopApi['training'];

export function setUpDesktopIpc<P extends PagePlace>(parts: {
  ipc: Ipc;
  place: P;
  appWindow: Pick<AppPage, 'webContents'>;
  handlers: Handlers<P>;
}): () => void {
  const { ipc, place, appWindow } = parts;
  const handlers: object = parts.handlers;
  return ipc.handle<RequestMap>({
    surface: 'host',
    from: appPageOf(place, appWindow),
    requests: desktopApi[place],
    answer: (name, input) => callHandler(handlers, name as keyof typeof handlers, input),
  });
}

type OpeningVault = Promise<{ view(): VaultView; askConsent(): Promise<VaultView> } | null>;

const notOpened: VaultView = { kind: 'session', reason: 'unreadable' };

export interface DesktopServices {
  vault: OpeningVault;
  settings: Settings;
  copyDiagnostics(): Promise<void>;
  openDataFolder(): Promise<void>;
  copyText(text: string): void;
  openChromiumNotices(): Promise<void>;
}

export function commonHandlers(parts: {
  desktop: DesktopServices;
  core: Pick<CoreSupervisor, 'retry' | 'state'>;
  saver: Pick<FileSaver, 'begin' | 'add' | 'end'>;
}): Pick<Handlers<'work'>, CommonRequest> {
  const { desktop, core, saver } = parts;
  return {
    'desktop.get': async () => ({ vault: (await desktop.vault)?.view() ?? notOpened }),
    'desktop.coreState': () => core.state(),
    'desktop.retry': () => core.retry(),
    'desktop.openDataFolder': () => desktop.openDataFolder(),
    'desktop.copyDiagnostics': () => desktop.copyDiagnostics(),
    'desktop.copyText': ({ text }) => desktop.copyText(text),
    'desktop.versions': () => ({ versions: versionsNow() }),
    'desktop.openChromiumNotices': () => desktop.openChromiumNotices(),
    'desktop.beginFile': async ({ name }) => ({ file: await saver.begin(name) }),
    'desktop.addToFile': ({ id, part }) => saver.add(id, part),
    'desktop.endFile': ({ id, keep }) => saver.end(id, keep),
    'desktop.setTheme': ({ theme }) => desktop.settings.set('theme', theme),
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
