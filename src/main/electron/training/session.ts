import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { appApi } from '#shared/app-api/index.ts';
import { appPushes, type PageRole, type RealWork } from '#shared/host-api/index.ts';
import type { ShownFormats } from '#shared/lib/formats.ts';
import { type Confirmation, setUpConfirmation } from '../confirmation/set-up-confirmation.ts';
import { type CoreSupervisor, createSupervisor } from '../core-link/supervisor.ts';
import type { StartCoreProcess } from '../core-link/core-process.ts';
import { commonHandlers, type DesktopServices, setUpAppIpc, setUpDesktopIpc } from '../ipc/page-ipc.ts';
import { createSaver } from '../ipc/saver.ts';
import type { Ipc } from '../ipc/registrar.ts';
import { nativeSaveTarget } from '../shell/native-dialogs.ts';
import { after } from '#system/after.ts';
import type { DesktopLog } from '../platform/log.ts';
import type { EmergencyStop } from '../shell/emergency-stop.ts';
import { watchMission, watchFrozen, watchWaitingCount, type WatchOptions } from '../shell/follow-core.ts';
import { createAppWindow } from '../windows/app-window.ts';

interface TrainingOptions {
  desktop: DesktopServices;
  ipc: Ipc;
  startProcess: StartCoreProcess;
  dataFolder: string;
  version: string;
  log: DesktopLog;
  preload(role: PageRole): string;
  real: { core: CoreSupervisor; confirmation: Confirmation; emergencyStop: EmergencyStop };
}

/** Opens the window and starts the core. The training core gets nothing of the real core: no folder, no key, no access to a browser. */
function openSession(options: TrainingOptions, onClosed: () => void) {
  const { desktop, ipc, log, preload, real, dataFolder, version } = options;
  const { settings } = desktop;
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
    // A confirmation of training must not cover the real confirmation that a person is reading.
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
        ...commonHandlers({ desktop, core, saver }),
        'desktop.realWork': realWork.now,
        'desktop.reviewReal': () => reviewReal(real),
        'desktop.stopRealAgents': stopReal,
      },
    }),
  ];
  const begin = (formats: ShownFormats | undefined): void => {
    if (isEnded) return;
    core.begin({
      // Uses its own folder and a random key: it seals no secrets of a person.
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
    async end(): Promise<void> {
      isEnded = true;
      stops.forEach((stop) => stop());
      appWindow.dispose();
      await core.quit();
    },
  };
}

async function formatsOf(core: CoreSupervisor): Promise<ShownFormats | undefined> {
  const answer = await core.ask('app', 'session.get', {}).catch(() => null);
  return appApi['session.get'].output.safeParse(answer).data?.formats;
}

export function watchRealWork({ core, after, onChange }: WatchOptions<RealWork>) {
  let work: RealWork = { waiting: null, frozen: null };
  const change = (found: Partial<RealWork>): void => {
    work = { ...work, ...found };
    onChange(work);
  };
  const stops = [
    watchWaitingCount({ core, after, onChange: (waiting) => change({ waiting }) }),
    watchFrozen({ core, after, onChange: (frozen) => change({ frozen }) }),
  ];
  return { now: () => work, stop: () => stops.forEach((stop) => stop()) };
}

/** Shows the real confirmation with its current question or the first waiting change. Fails as `proposals.review` does. */
export async function reviewReal(real: {
  core: Pick<CoreSupervisor, 'ask'>;
  confirmation: Pick<Confirmation, 'current' | 'bringForward'>;
}): Promise<void> {
  const { core, confirmation } = real;
  const id = confirmation.current() ?? (await reviewWaiting(core));
  if (id !== null) confirmation.bringForward(id);
}

async function reviewWaiting(core: Pick<CoreSupervisor, 'ask'>): Promise<string | null> {
  const list = await core.ask('app', 'proposals.list', { which: 'waiting', before: null, limit: 1 });
  const [first] = appApi['proposals.list'].output.parse(list).items;
  if (first === undefined) return null;
  const answer = await core.ask('app', 'proposals.review', { id: first.id });
  return appApi['proposals.review'].output.parse(answer).id ?? first.id;
}

/** Training runs only while its window is open. A new session waits until the core of the previous session has released its folder. */
export function setUpTraining(options: TrainingOptions) {
  let session: ReturnType<typeof openSession> | null = null;
  let ending: Promise<void> | null = null;
  let isWanted = false;
  let isQuitting = false;

  function end(): Promise<void> {
    const ended = session;
    session = null;
    if (ended !== null) {
      ending = ended.end().finally(() => {
        ending = null;
        if (isWanted) open();
      });
    }
    return ending ?? Promise.resolve();
  }

  function open(): void {
    if (isQuitting) return;
    isWanted = ending !== null;
    if (isWanted) return;
    session ??= openSession(options, () => void end());
    session.appWindow.focus();
  }

  return {
    open,
    appWindow: () => session?.appWindow ?? null,
    suspend: () => session?.core.suspend(),
    resume: () => session?.core.resume(),
    quit(): Promise<void> {
      isQuitting = true;
      return end();
    },
  };
}
