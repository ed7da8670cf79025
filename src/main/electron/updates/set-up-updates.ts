import { app } from 'electron';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { appApi, policySchema } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { appPushes } from '#shared/host-api/index.ts';
import { setSystemNetwork } from '#system/http/system-network.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import { after } from '../platform/after.ts';
import type { DesktopLog } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { appVersion } from '../platform/versions.ts';
import type { AppWindow } from '../windows/index.ts';
import { createInstaller } from './installer.ts';
import { createUpdateServer } from './update-server.ts';
import { type UpdateSource, whyOff } from './update-source.ts';
import { createUpdates, type Updates } from './updates.ts';

/** The parts of updates that an entry brings. */
export interface UpdateParts {
  /** Null if the app was built without a feed. */
  source: UpdateSource | null;
  isPackaged: boolean;
}

export interface SetUpUpdatesOptions extends UpdateParts {
  core: Pick<CoreSupervisor, 'state' | 'ask'>;
  confirmation: { current(): string | null };
  appWindow: Pick<AppWindow, 'send'>;
  settings: Settings;
  log: DesktopLog;
  /** Asks the system for the proxies of an origin. */
  findProxy(origin: string): Promise<string>;
  /** Where a download is kept. */
  folder: string;
}

/** Sets up updates, off where this installation does not update itself, and tells the page of every change. */
export function setUpUpdates(options: SetUpUpdatesOptions): Updates {
  const { source, isPackaged, core, confirmation, appWindow, settings, log, folder } = options;
  const { platform } = process;
  const appImage = process.env['APPIMAGE'];
  const version = appVersion();
  const off = whyOff(source, { isPackaged, platform, appImage, folder: dirname(process.execPath) });
  setSystemNetwork({ proxiesFor: options.findProxy });

  const updates = createUpdates({
    parts: source === null || off !== null ? null : partsOf(source),
    off,
    version,
    system: platform,
    arch: process.arch,
    settings,
    busyWith: async () => (confirmation.current() !== null ? 'decision' : await sendingIn(core)),
    isForbidden: () => isForbidden(core),
    endApp: () => app.quit(),
    log,
    nowMs: () => Date.now(),
    after,
  });
  updates.onView((view) => appWindow.send(appPushes.updates, view));

  function partsOf(from: UpdateSource) {
    const server = createUpdateServer(from.feed);
    const installer = createInstaller({
      source: from,
      server,
      version,
      folder,
      platform,
      appImage,
      startApp(path) {
        // The new one would find the lock taken, and end.
        app.releaseSingleInstanceLock();
        spawn(path, [], { detached: true, stdio: 'ignore' }).unref();
      },
      startAgain() {
        app.relaunch();
        app.exit(0);
      },
    });
    return { source: from, server, installer };
  }

  return {
    ...updates,
    installAtEnd() {
      try {
        return updates.installAtEnd();
      } catch (failure) {
        // Everything else has ended: the old app, which is as it was, starts again.
        log.warn(
          { code: encodeError(failure).code, failure: String(failure) },
          'The update was not installed',
        );
        app.relaunch();
        return false;
      }
    },
  };
}

/** The core reads the administrator's policy. Fails as it does: what is not known is not allowed. */
async function isForbidden(core: SetUpUpdatesOptions['core']): Promise<boolean> {
  return policySchema.parse(await core.ask('app', 'policy.get', {})).updatesOff;
}

const beingSent: ReadonlySet<string> = new Set(['approved', 'intent', 'sent']);

/** `sending` while a change is approved and its outcome is still to come. A core that is away sends nothing. */
async function sendingIn(core: SetUpUpdatesOptions['core']): Promise<'sending' | null> {
  if (core.state().kind !== 'ready') return null;
  const { output } = appApi['proposals.list'];
  try {
    for (let before: string | null = null; ;) {
      const input = { which: 'waiting', before, limit: 200, order: 'newest' };
      const { items } = output.parse(await core.ask('app', 'proposals.list', input));
      if (items.some(({ state }) => beingSent.has(state))) return 'sending';
      const last = items.at(-1);
      if (last === undefined) return null;
      before = last.id;
    }
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
