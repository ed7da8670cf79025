import { app, BrowserWindow, powerMonitor } from 'electron';
import type { CoreSupervisor } from '../../core-link/supervisor.ts';
import { after } from '#system/after.ts';
import type { Settings } from '../../platform/settings.ts';
import type { AppWindow } from '../../windows/app-window.ts';

const explainAfterMs = 1_000;

interface Preventable {
  preventDefault(): void;
}

export interface QuittingOptions {
  /** Resolves when the core has finished its write and ended. Never rejects; the caller limits the time. */
  finishCore: () => Promise<void>;
  quit: () => void;
  /** Installs a requested update after the core has ended. Returns true if the system then ends the program itself. */
  installUpdate: () => boolean;
  writing: () => Promise<void> | null;
  exit: (code: number) => void;
  sayFinishing: () => void;
  after: (delayMs: number, call: () => void) => () => void;
}

export interface Quitting {
  beforeQuit(event: Preventable): void;
  willQuit(event: Preventable): void;
  /** Handles a signal of the system. The first signal starts quitting; a second signal meanwhile exits immediately with this code. */
  signal(code: number): void;
}

export function createQuitting(options: QuittingOptions): Quitting {
  const { finishCore, installUpdate, writing, quit, exit, sayFinishing, after } = options;
  let stage: 'running' | 'finishing' | 'finished' = 'running';
  let signalled = false;

  async function finish(): Promise<void> {
    stage = 'finishing';
    const cancel = after(explainAfterMs, sayFinishing);
    await finishCore();
    cancel();
    stage = 'finished';
    if (!installUpdate()) quit();
  }

  return {
    beforeQuit(event) {
      if (stage === 'finished') return;
      event.preventDefault();
      if (stage === 'running') void finish();
    },
    willQuit(event) {
      const write = writing();
      if (write === null) return;
      event.preventDefault();
      void write.then(quit);
    },
    signal(code) {
      if (signalled) return exit(code);
      signalled = true;
      quit();
    },
  };
}

export interface SessionEvents {
  power: NodeJS.EventEmitter;
  app: NodeJS.EventEmitter;
}

/** Lets the write finish when the system's session ends. macOS and Linux emit `shutdown`, Windows `query-session-end` per window. */
export function quitWithSession(
  { power, app }: SessionEvents,
  { quit, showFinishing }: { quit(): void; showFinishing(): void },
): void {
  power.on('shutdown', (event: Preventable) => {
    event.preventDefault();
    quit();
  });
  app.on('browser-window-created', (_event: unknown, window: NodeJS.EventEmitter) => {
    window.on('query-session-end', (event: Preventable) => {
      event.preventDefault();
      showFinishing();
      quit();
    });
  });
}

export interface FinishingWindow {
  isDestroyed(): boolean;
  isVisible(): boolean;
  showInactive(): void;
  setTitle(title: string): void;
  setProgressBar(progress: number): void;
}

function sayFinishing(window: FinishingWindow | null): void {
  if (window === null || window.isDestroyed()) return;
  window.setTitle('Finishing… · Countersign');
  window.setProgressBar(2);
}

export function showFinishing(window: FinishingWindow | null, all: readonly FinishingWindow[]): void {
  sayFinishing(window);
  if (window === null || window.isDestroyed()) return;
  if (!all.some((one) => !one.isDestroyed() && one.isVisible())) window.showInactive();
}

/** Events that are sent to the core. A locked screen counts as sleep: a returning user has to see a change again. */
const forwarded = [
  ['suspend', 'suspend'],
  ['resume', 'resume'],
  ['lock-screen', 'suspend'],
  ['unlock-screen', 'resume'],
] as const;

export function setUpPower(cores: readonly Pick<CoreSupervisor, 'suspend' | 'resume'>[]): void {
  const events: NodeJS.EventEmitter = powerMonitor;
  for (const [event, call] of forwarded) events.on(event, () => cores.forEach((core) => core[call]()));
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

export interface QuitOptions {
  cores: readonly Pick<CoreSupervisor, 'quit'>[];
  appWindow: AppWindow;
  settings: Pick<Settings, 'writing'>;
  installUpdate: () => boolean;
}

/** Finishes the core's write before the program ends. Writes settings last, because closing windows store their positions. */
export function setUpQuit({ cores, appWindow, settings, installUpdate }: QuitOptions): void {
  const quitting = createQuitting({
    finishCore: async () => void (await Promise.all(cores.map((core) => core.quit()))),
    installUpdate,
    writing: settings.writing,
    quit: () => app.quit(),
    exit: (code) => app.exit(code),
    sayFinishing: () => sayFinishing(appWindow.browserWindow()),
    after,
  });
  app.on('before-quit', (event) => quitting.beforeQuit(event));
  app.on('will-quit', (event) => quitting.willQuit(event));
  for (const [signal, code] of signals) process.on(signal, () => quitting.signal(code));
  quitWithSession(
    { power: powerMonitor, app },
    {
      quit: () => app.quit(),
      showFinishing: () => showFinishing(appWindow.browserWindow(), BrowserWindow.getAllWindows()),
    },
  );
}
