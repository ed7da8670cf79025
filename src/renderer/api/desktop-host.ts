import { AppError, decodeError } from '#shared/errors/index.ts';
import type {
  HostAnswer,
  AppPreload,
  BegunFile,
  Behaviour,
  DesktopRequest,
  FilePart,
  MenuCommand,
  RealWork,
  ThemeChoice,
  UpdateStep,
  UpdatesView,
  VaultView,
  Versions,
} from '#shared/host-api/index.ts';

/** The preload of the desktop host; null in every other host. */
export function appPreload(): AppPreload | null {
  return (globalThis as { countersign?: AppPreload }).countersign ?? null;
}

/** Services of the desktop for the page. Every call fails with an `AppError`: the host's own, or `core_unreachable`. */
export interface DesktopHost {
  vault(): Promise<VaultView>;
  /** Starts the core again after it stopped. */
  retry(): Promise<void>;
  /** Asks the person in a native dialog; gives the vault as it is then. */
  keepSecrets(): Promise<VaultView>;
  openDataFolder(): Promise<void>;
  /** Puts diagnostics on the clipboard. */
  copyDiagnostics(): Promise<void>;
  /** The same text, for a page that shows it. */
  diagnostics(): Promise<string>;
  behaviour(): Promise<Behaviour>;
  /** Changes some of it; gives it as it is then. */
  setBehaviour(change: Partial<Behaviour>): Promise<Behaviour>;
  versions(): Promise<Versions>;
  openChromiumNotices(): Promise<void>;
  /** Puts a text on the clipboard, which the page itself may not reach. */
  copyText(text: string): Promise<void>;
  /** Asks the person where a file shall go and begins it; null when none is wanted. */
  beginFile(name: string): Promise<BegunFile | null>;
  addToFile(id: string, part: FilePart): Promise<void>;
  /** Puts the file in its place, or discards it. */
  endFile(id: string, keep: boolean): Promise<void>;
  /** The windows of the host follow it too. */
  setTheme(theme: ThemeChoice): Promise<void>;
  /** Returns the unsubscribe function, as does the other. */
  onMenuCommand(listener: (command: MenuCommand) => void): () => void;
  /** The first campaigns are painted. The real app's page only, as the next one. */
  firstRows(): Promise<void>;
  openTraining(): Promise<void>;
  updates(): Promise<UpdatesView>;
  onUpdates(listener: (view: UpdatesView) => void): () => void;
  /** Does what a person asked for, if it fits the state; `onUpdates` tells what comes of it. */
  stepUpdates(step: UpdateStep): Promise<void>;
  setDailyUpdates(daily: boolean): Promise<void>;
  /** The real work beside training; the training page only, as the rest below. */
  realWork(): Promise<RealWork>;
  onRealWork(listener: (work: RealWork) => void): () => void;
  reviewReal(): Promise<void>;
  stopRealAgents(): Promise<void>;
}

/** The desktop over its preload. A request of the other place fails with `not_found`. */
export function createDesktopHost(
  preload: Pick<AppPreload, 'desktop' | 'onMenuCommand' | 'onRealWork' | 'onUpdates'>,
): DesktopHost {
  async function ask(name: DesktopRequest, input: unknown = {}): Promise<unknown> {
    const request = preload.desktop[name];
    if (request === undefined) throw new AppError('not_found');
    let answer: HostAnswer;
    try {
      answer = await request(input);
    } catch (cause) {
      throw new AppError('core_unreachable', { cause });
    }
    if ('error' in answer) throw decodeError(answer.error);
    return answer.output;
  }
  const askVault = async (name: DesktopRequest): Promise<VaultView> =>
    ((await ask(name)) as { vault: VaultView }).vault;
  const run = async (name: DesktopRequest, input?: unknown): Promise<void> => void (await ask(name, input));

  return {
    vault: () => askVault('desktop.get'),
    retry: () => run('desktop.retry'),
    keepSecrets: () => askVault('desktop.keepSecrets'),
    openDataFolder: () => run('desktop.openDataFolder'),
    copyDiagnostics: () => run('desktop.copyDiagnostics'),
    diagnostics: async () => ((await ask('desktop.diagnostics')) as { text: string }).text,
    behaviour: async () => (await ask('desktop.behaviour')) as Behaviour,
    setBehaviour: async (change) => (await ask('desktop.setBehaviour', change)) as Behaviour,
    copyText: (text) => run('desktop.copyText', { text }),
    versions: async () => ((await ask('desktop.versions')) as { versions: Versions }).versions,
    openChromiumNotices: () => run('desktop.openChromiumNotices'),
    beginFile: async (name) =>
      ((await ask('desktop.beginFile', { name })) as { file: BegunFile | null }).file,
    addToFile: (id, part) => run('desktop.addToFile', { id, part }),
    endFile: (id, keep) => run('desktop.endFile', { id, keep }),
    setTheme: (theme) => run('desktop.setTheme', { theme }),
    onMenuCommand: (listener) => preload.onMenuCommand(listener),
    firstRows: () => run('desktop.firstRows'),
    openTraining: () => run('desktop.openTraining'),
    updates: async () => (await ask('desktop.updates')) as UpdatesView,
    onUpdates: (listener) => preload.onUpdates(listener),
    stepUpdates: (step) => run('desktop.stepUpdates', { step }),
    setDailyUpdates: (daily) => run('desktop.setDailyUpdates', { daily }),
    realWork: async () => (await ask('desktop.realWork')) as RealWork,
    onRealWork: (listener) => preload.onRealWork(listener),
    reviewReal: () => run('desktop.reviewReal'),
    stopRealAgents: () => run('desktop.stopRealAgents'),
  };
}

const preload = appPreload();

/** The desktop that shows this page; null in every other host. */
export const desktopHost: DesktopHost | null = preload && createDesktopHost(preload);
