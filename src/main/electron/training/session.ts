import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { appApi } from '#shared/app-api/index.ts';
import { appPushes, type PageRole } from '#shared/host-api/index.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';
import { type Confirmation, setUpConfirmation } from '../confirmation/index.ts';
import { type CoreSupervisor, createSupervisor, type StartCoreProcess } from '../core-link/index.ts';
import {
  commonHandlers,
  type CommonHandlerOptions,
  createSaver,
  type Ipc,
  nativeSaveTarget,
  setUpAppIpc,
  setUpDesktopIpc,
  trainingHandlers,
} from '../ipc/index.ts';
import { after } from '#system/after.ts';
import type { DesktopLog } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { type EmergencyStop, watchMission } from '../shell/index.ts';
import { type AppWindow, createAppWindow } from '../windows/index.ts';
import { reviewReal, watchRealWork } from './real-work.ts';

export interface SessionOptions extends Pick<
  CommonHandlerOptions,
  'vault' | 'copyDiagnostics' | 'openDataFolder' | 'openChromiumNotices' | 'copyText'
> {
  ipc: Ipc;
  /** Starts a process with a core of training in it. */
  startProcess: StartCoreProcess;
  /** The data folder of the real core. */
  dataFolder: string;
  version: string;
  settings: Settings;
  log: DesktopLog;
  /** Path of a built preload. */
  preload(role: PageRole): string;
  /** The real work, which goes on. */
  real: { core: CoreSupervisor; confirmation: Confirmation; emergencyStop: EmergencyStop };
  onClosed(): void;
}

/** Training while its window is open: a core, a window and a confirmation of its own. */
export interface Session {
  core: CoreSupervisor;
  appWindow: AppWindow;
  /** Closes its windows and ends its core; resolves when that is gone. */
  end(): Promise<void>;
}

/** Opens the window and starts the core. Nothing of the real core is handed to it: no folder, no key, no way to a browser. */
export function openSession(options: SessionOptions): Session {
  const { ipc, settings, log, preload, real, dataFolder, version, onClosed } = options;
  let isEnded = false;
  const core = createSupervisor({
    startProcess: options.startProcess,
    openAuthorization: async () => false,
    findProxy: async () => 'DIRECT',
    resetHost: async () => null,
    log,
    nowMs: () => Date.now(),
    after,
  });
  const appWindow = createAppWindow({
    place: 'training',
    settings,
    preload: preload('app'),
    onClosed,
  });
  const confirmation = setUpConfirmation({
    place: 'training',
    core,
    ipc,
    settings,
    appWindow,
    preload: preload('confirm'),
  });
  const saver = createSaver(nativeSaveTarget(appWindow, 'training'));
  appWindow.onPageEnded(saver.discard);
  const stopReal = (): Promise<void> => real.emergencyStop.press();
  const realWork = watchRealWork({
    core: real.core,
    after,
    onChange: (work) => appWindow.send(appPushes.realWork, work),
  });
  const stops = [
    confirmation.dispose,
    confirmation.onEmergencyStop(() => void stopReal()),
    // A question of training never covers the real one that a person is looking at.
    real.confirmation.onFocusChanged((focused) => confirmation.setQuiet(focused)),
    watchMission({ core, after, onChange: (isRunning) => real.confirmation.setQuiet(isRunning === true) }),
    () => real.confirmation.setQuiet(false),
    realWork.stop,
    setUpAppIpc({ ipc, place: 'training', core, appWindow, onReview: confirmation.bringForward }),
    setUpDesktopIpc({
      ipc,
      place: 'training',
      appWindow,
      handlers: {
        ...commonHandlers({ ...options, core, saver }),
        ...trainingHandlers({
          realWork: realWork.now,
          reviewReal: () => reviewReal(real),
          stopRealAgents: stopReal,
        }),
      },
    }),
  ];
  const begin = (formats: ShownFormats | undefined): void => {
    if (isEnded) return;
    core.begin({
      // A folder and a key of its own: what it seals is no secret of a person.
      dataFolder: join(dataFolder, 'training'),
      dataKey: randomBytes(32).toString('base64'),
      version,
      ...(formats && { formats }),
    });
  };
  void formatsOf(real.core).then(begin);
  appWindow.open();

  return {
    core,
    appWindow,
    async end() {
      isEnded = true;
      stops.forEach((stop) => stop());
      appWindow.dispose();
      await core.quit();
    },
  };
}

/** How the real app writes numbers and moments; undefined while its core does not answer. All that training learns of it. */
async function formatsOf(core: CoreSupervisor): Promise<ShownFormats | undefined> {
  const answer = await core.ask('app', 'session.get', {}).catch(() => null);
  return appApi['session.get'].output.safeParse(answer).data?.formats;
}
