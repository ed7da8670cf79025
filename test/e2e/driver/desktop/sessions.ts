import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Electron from 'electron';
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, type TestContext } from 'vitest';
import type { ElectronApplication } from 'playwright';
import { composeRestartable } from '#core/compose/restartable-core.ts';
import { composeTraining } from '#core/compose/training.ts';
import { defaultCampaigns } from '#core/backend/demo-data/make-demo-data.ts';
import { createFaults, type Backend, type Faults } from '#core/backend/index.ts';
import { noFilter } from '#shared/app-api/index.ts';
import type { Confirmer, FirstScreen } from '#shared/host-api/index.ts';
import { firstScreenName, readFirstScreen } from '#system/first-screen.ts';
import { electronForThisFile, type ElectronBed } from '#test/servers/electron-runtime.ts';
import { inTime } from '#test/setup/eventually.ts';
import { copyService } from '#test/servers/template-folder.ts';
import { projectRoot } from '../../../../scripts/lib/run-tool.ts';
import { type AppDriver, appDriver } from '../app.ts';
import { gatherComplaints } from '../complaints.ts';
import { keepPictures } from '../keep-pictures.ts';
import { createSecondClient } from '../second-client.ts';
import { sessionFolder } from '../service-side.ts';
import type { Session, SessionOptions, Sessions } from '../session.ts';
import { desktopHost } from './app-host.ts';
import { openCoreLine } from './core-line.ts';
import { windowAt } from './windows.ts';

export interface DesktopSessions extends Sessions {
  startSession(options?: SessionOptions): Promise<DesktopSession>;
  startWaitingSession(options: WaitingSessionOptions): Promise<WaitingSession>;
  /**
   * Starts one app for all tests of the file; each test must use campaigns of its own. Call this at the top level of a test
   * file.
   */
  sessionForThisFile(): () => DesktopSession;
}

/** An app whose core waits before it starts, over a file that the last session kept. */
export interface WaitingSession {
  app: AppDriver;
  electron: ElectronApplication;
  complaints(): Promise<string[]>;
  letCoreStart(): void;
  faults: Faults;
}

export interface WaitingSessionOptions extends Pick<SessionOptions, 'colorScheme' | 'viewport'> {
  /** Changes what the last session kept. */
  lastSession(kept: FirstScreen): unknown;
}

/** A session that also knows the addresses passed to the system's browser and the titles of its windows. */
export interface DesktopSession extends Session {
  opened(): Promise<string[]>;
  titles(): Promise<string[]>;
  resize(size: { width: number; height: number }): Promise<void>;
  /** Returns the folder of the app's settings, with the desktop's part of the data. */
  userData(): Promise<string>;
}

/** Registers the end of a part of a session: after the test, or after the tests of a file. */
type WhenOver = (end: (test?: TestContext) => Promise<void>) => void;

/** Prepares the real Electron for the test file. Each session is an app of its own, with its core in this process. */
export function prepareDesktopSessions(): DesktopSessions {
  const bed = electronForThisFile();
  beforeAll(() => stageTestHost(bed));
  return {
    startSession: async (options = {}) =>
      startIn(await sessionFolder(options), bed, { ...options, whenOver: onTestFinished }),
    startWaitingSession: (options) => startWaiting(bed, options),
    sessionForThisFile() {
      const ends: (() => Promise<void>)[] = [];
      let session: DesktopSession | undefined;
      beforeAll(async () => {
        const folder = bed.newCoreFolder();
        copyService(join(folder, 'backend.sqlite'), { campaigns: defaultCampaigns, nowMs: Date.now() });
        session = await startIn(folder, bed, { whenOver: (end) => void ends.push(() => end()) });
      });
      afterEach(async ({ task }) => {
        if (task.result?.state === 'fail' && session !== undefined)
          await keepPictures(session.app.page.context());
      });
      afterAll(async () => {
        for (const end of ends.toReversed()) await end();
      });
      return () => {
        if (session === undefined)
          throw new Error('The session of this file is there only while its tests run');
        return session;
      };
    },
    async startMortalSession(death) {
      const { electron } = await launch(bed, [`core-${death}.js`], { whenOver: onTestFinished });
      const app = appDriver(await desktopHost(electron, null));
      return {
        app,
        died: () => inTime('The end of the core', electron.evaluate(coreEnded)),
        async back() {
          await app.page.getByText('Countersign cannot be reached.').waitFor({ state: 'detached' });
          return app;
        },
      };
    },
  };
}

async function startWaiting(
  bed: ElectronBed,
  { lastSession, ...options }: WaitingSessionOptions,
): Promise<WaitingSession> {
  const dataFolder = await sessionFolder({});
  const kept = await keptIn(dataFolder);
  const userData = bed.newFolder();
  writeAsOwnerOf(userData, join('data', firstScreenName), lastSession(kept));
  const start = Promise.withResolvers<void>();
  const faults = createFaults();
  const line = await openCoreLine(bed.newFolder(), {
    overrides: { dataFolder, faults },
    async compose(composed) {
      await start.promise;
      return composeRestartable(composed);
    },
  });
  onTestFinished(() => line.close());
  // A core that was never let go could not be ended either.
  onTestFinished(() => start.resolve());
  const { electron, complaints } = await launch(bed, ['none.sock', line.path], {
    ...options,
    userData,
    whenOver: onTestFinished,
  });
  const app = appDriver(await desktopHost(electron, line));
  return { app, electron, complaints, letCoreStart: start.resolve, faults };
}

/** Returns the first screen of a core that lists the campaigns of this folder and ends. */
async function keptIn(dataFolder: string): Promise<FirstScreen> {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const confirmer: Confirmer = {
    via: 'desktop',
    show: async () => ({ address: null }),
    hide: () => undefined,
  };
  const dataKey = randomBytes(32);
  const core = await composeRestartable({ dataFolder, host: 'desktop', version, dataKey, confirmer });
  await core.handlers['campaigns.page']({ filter: noFilter, page: 1, perPage: 200 });
  await core.dispose();
  const kept = readFirstScreen(dataFolder, version);
  if (kept === null) throw new Error('The core kept nothing for its next start');
  return kept;
}

/** Writes a file of the user that runs the app, and the folders that it is in. */
function writeAsOwnerOf(folder: string, name: string, content: unknown): void {
  const { uid, gid } = statSync(folder);
  const own = (path: string): void => chownSync(path, uid, gid);
  const place = join(folder, dirname(name));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  own(place);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  own(join(folder, name));
}

async function startIn(
  dataFolder: string,
  bed: ElectronBed,
  { whenOver, ...options }: SessionOptions & { whenOver: WhenOver },
): Promise<DesktopSession> {
  const faults = createFaults(options.faults);
  const service = Promise.withResolvers<{ backend: Backend; baseUrl: string }>();
  const clocked = options.clock && { clock: options.clock };
  const line = await openCoreLine(bed.newFolder(), {
    overrides: {
      dataFolder,
      faults,
      timeouts: { requestMs: options.requestMs ?? 15_000 },
      ...clocked,
      ...(options.demoCampaigns !== undefined && { demoCampaigns: options.demoCampaigns }),
      ...(options.offersFirstStart && { offersFirstStart: true }),
      onDemoService: (backend, baseUrl) => service.resolve({ backend, baseUrl }),
    },
  });
  whenOver(() => line.close());
  const training = await openCoreLine(bed.newFolder(), {
    compose: (composed) => composeTraining({ ...composed, ...options.training }),
    overrides: { dataFolder: join(dataFolder, 'training'), ...clocked },
  });
  whenOver(() => training.close());
  const { electron, complaints, resize } = await launch(bed, [training.path, line.path], {
    ...options,
    whenOver,
  });
  const app = appDriver(await desktopHost(electron, line));
  const { backend, baseUrl } = await service.promise;
  return {
    app,
    faults,
    second: createSecondClient(backend, baseUrl),
    complaints,
    loseCore: () => line.cut(),
    async restartCore(meanwhile) {
      await line.restart(meanwhile);
      await app.page.getByText('Countersign cannot be reached.').waitFor({ state: 'detached' });
      await expect.poll(async () => await app.ask('session.get', {})).toHaveProperty('version');
      return app;
    },
    dataFolder,
    async startTraining() {
      await electron.evaluate(chooseTraining);
      return appDriver(await desktopHost(electron, training, 'training'));
    },
    opened: () => electron.evaluate(openedByHost),
    titles: () => electron.evaluate(windowTitles),
    resize,
    userData: () => electron.evaluate(({ app: host }) => host.getPath('userData')),
  };
}

/** Resolves when the first core has ended. Runs in the main process of the test entry. */
async function coreEnded(): Promise<void> {
  await (globalThis as unknown as { seenByHost: { coreEnded: Promise<unknown> } }).seenByHost.coreEnded;
}

/** Returns the addresses passed to the system's browser. Runs in the main process of the test entry. */
function openedByHost(): string[] {
  return (globalThis as unknown as { seenByHost: { opened: string[] } }).seenByHost.opened;
}

/** Chooses Training… in the Help menu. Runs in the main process. */
function chooseTraining({ Menu }: typeof Electron): void {
  const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
  items.find(({ label }) => label === 'Training…')?.click({ triggeredByAccelerator: false });
}

/** Runs in the main process. */
function windowTitles({ BrowserWindow }: typeof Electron): string[] {
  return BrowserWindow.getAllWindows().map((window) => window.getTitle());
}

/** Adds the test entry of the main process to the app, and the core under the file names that determine when it dies. */
function stageTestHost(bed: ElectronBed): void {
  const bundles = inject('hostBundles');
  bed.stage(bundles, 'out/main');
  for (const death of ['never', 'before-stored', 'after-stored']) {
    bed.stage(join(bundles, 'test-core.js'), `out/main/core-${death}.js`);
  }
}

interface Launched extends Pick<DesktopSession, 'complaints' | 'resize'> {
  electron: ElectronApplication;
}

async function launch(
  bed: ElectronBed,
  args: string[],
  {
    colorScheme = 'light',
    viewport = { width: 1280, height: 800 },
    userData,
    whenOver,
  }: SessionOptions & { userData?: string; whenOver: WhenOver },
): Promise<Launched> {
  const electron = await bed.launch({
    main: 'out/main/test-main.cjs',
    args,
    colorScheme,
    ...(userData && { userData }),
  });
  const context = electron.context();
  whenOver(async (test) => {
    if (test?.task.result?.state === 'fail') await keepPictures(context);
    await electron.close();
  });
  const complaints = gatherComplaints(context, 'countersign://');
  const window = await windowAt(electron, 'app');
  await window.setContentSize(viewport);
  return { electron, complaints, resize: window.setContentSize };
}
