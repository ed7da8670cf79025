import { app } from 'electron';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { encodeError, AppError } from '#shared/errors/index.ts';
import { appPushes } from '#shared/host-api/index.ts';
import { setSystemNetwork } from '#system/http/system-network.ts';
import { createAdministratorPolicy } from '#system/policy/index.ts';
import { after } from '#system/after.ts';
import { runningAppImage } from '../platform/app-image.ts';
import type { DesktopLog } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { appVersion } from '../platform/versions.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { createInstaller } from './installer.ts';
import { createUpdateServer } from './update-server.ts';
import { type UpdateSource, whyOff } from './update-source.ts';
import { createUpdates, type Updates } from './updates.ts';
import { appApi } from '#shared/app-api/index.ts';
import { isInDelivery } from '#shared/proposals/states.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';

export interface UpdateParts {
  source: UpdateSource | null;
  isPackaged: boolean;
}

export interface SetUpUpdatesOptions {
  parts: UpdateParts;
  core: AskableCore;
  confirmation: { current(): string | null };
  appWindow: Pick<AppWindow, 'send'>;
  settings: Settings;
  log: DesktopLog;
  findProxy(origin: string): Promise<string>;
  folder: string;
}

export function setUpUpdates(options: SetUpUpdatesOptions): Updates {
  const { parts, core, confirmation, appWindow, settings, log, folder } = options;
  const { source, isPackaged } = parts;
  const { platform } = process;
  const appImage = runningAppImage();
  const version = appVersion();
  const off = whyOff(source, { isPackaged, platform, appImage, folder: dirname(process.execPath) });
  // Read directly and not through the core, because a version whose core cannot start must be replaceable.
  const policy = createAdministratorPolicy({ logger: { info: log.info, error: log.warn } });
  setSystemNetwork({ proxiesFor: options.findProxy });

  const updates = createUpdates({
    parts: source === null || off !== null ? null : partsOf(source),
    off,
    version,
    system: platform,
    arch: process.arch,
    settings,
    busyWith: async () => (confirmation.current() !== null ? 'decision' : await sendingIn(core)),
    isForbidden: () => policy.view().updatesOff,
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
        // The new app would find the single-instance lock taken and exit.
        app.releaseSingleInstanceLock();
        spawn(path, [], { detached: true, stdio: 'ignore' }).unref();
      },
      startAgain() {
        relaunch(appImage);
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
        log.warn(
          { code: encodeError(failure).code, failure: String(failure) },
          'The update was not installed',
        );
        relaunch(appImage);
        return false;
      }
    },
  };
}

/** Restarts this version after it has ended. By then an AppImage is unmounted, so the AppImage file itself is started. */
function relaunch(appImage: string | undefined): void {
  const args = process.argv.slice(1);
  app.relaunch(appImage === undefined ? {} : { execPath: appImage, args });
}

export type AskableCore = Pick<CoreSupervisor, 'state' | 'ask'>;

const pageLength = 200;

/** `sending` while a change is approved and its outcome is open. A core that is not ready or does not answer sends nothing. */
export async function sendingIn(core: AskableCore): Promise<'sending' | null> {
  if (core.state().kind !== 'ready') return null;
  const { output } = appApi['proposals.list'];
  try {
    for (let before: string | null = null; ;) {
      const input = { which: 'waiting', before, limit: pageLength, order: 'newest' };
      const { items } = output.parse(await core.ask('app', 'proposals.list', input));
      if (items.some(({ state }) => isInDelivery(state))) return 'sending';
      const last = items.at(-1);
      if (last === undefined) return null;
      before = last.id;
    }
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
