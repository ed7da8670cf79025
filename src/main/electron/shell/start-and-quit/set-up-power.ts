import { app, BrowserWindow, powerMonitor } from 'electron';
import type { CoreSupervisor } from '../../core-link/supervisor.ts';
import { after } from '#system/after.ts';
import type { Settings } from '../../platform/settings.ts';
import type { AppWindow } from '../../windows/app-window.ts';
import { createQuitting, quitWithSession, sayFinishing, showFinishing } from './quitting.ts';

/**
 * The machine's events that the core gets. A locked screen is like sleep: a user who returns has to see a change again.
 */
const forwarded = [
  ['suspend', 'suspend'],
  ['resume', 'resume'],
  ['lock-screen', 'suspend'],
  ['unlock-screen', 'resume'],
] as const;

/** Passes sleep, waking and locking of the machine on to the cores. */
export function setUpPower(cores: readonly Pick<CoreSupervisor, 'suspend' | 'resume'>[]): void {
  const events: NodeJS.EventEmitter = powerMonitor;
  for (const [event, call] of forwarded) events.on(event, () => cores.forEach((core) => core[call]()));
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

export interface QuitOptions {
  /** All that has to end first. */
  cores: readonly Pick<CoreSupervisor, 'quit'>[];
  appWindow: AppWindow;
  settings: Pick<Settings, 'writing'>;
  installUpdate: () => boolean;
}

/**
 * Finishes the core's write before the program ends, however it is asked to end; the window stays until then, and says
 * so if it takes long. Settings are written last: closing windows set their places.
 */
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
