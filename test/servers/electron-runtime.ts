import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { findTestElectron, type ElectronRuntime } from '../../scripts/lib/find-electron.ts';
import { endTrees } from '../../scripts/lib/processes.ts';
import { findTestBinding } from '../../scripts/lib/test-binding.ts';
import { patienceMs } from '../../scripts/lib/test-settings.ts';
import { ownFolder, plainUser, type PlainUser } from './electron/plain-user.ts';
import { runElectron, type ElectronRun } from './electron/run-electron.ts';
import { copyReadable, stageApp } from './electron/staged-app.ts';
import { startXDisplay } from './electron/x-display.ts';

/** How the app is started. */
export interface ElectronLaunch {
  /** The program of a packaged app, used instead of the runtime. It has its own entry point. */
  program?: string;
  /** The entry point: a path below the staged app, or an absolute path. Defaults to the staged app itself. */
  main?: string;
  /** Arguments after the entry point. */
  args?: string[];
  /** The folder in which Electron and the app keep their files. Defaults to a new folder; null lets the app choose. */
  userData?: string | null;
  /** Added to a small, clean environment. The app does not get the tests' own environment. */
  env?: Record<string, string>;
}

/** How a script is run. */
export interface NodeRun {
  /** Added to a small, clean environment. */
  env?: Record<string, string>;
  /** Defaults to {@link patienceMs}. */
  timeoutMs?: number;
  /** Called as soon as the process exists. */
  onStart?(pid: number): void;
}

/** A real Electron for one test file, on an X server of its own, run with its sandbox by a user who is not root. */
export interface ElectronBed {
  /** The version of the runtime, for example `33.4.11`. */
  version: string;
  /** The folder of the runtime, readable for the user. */
  runtime: string;
  /**
   * The staged copy of the built app: `out`, package.json, better-sqlite3 and Node. An empty text if the bed does not stage
   * the app.
   */
  app: string;
  /** Makes a new folder that the app may write to. */
  newFolder(): string;
  /** Makes a new data folder for a core in this process. A core refuses a folder that belongs to another user. */
  newCoreFolder(): string;
  /** Copies a file or a folder into the staged app and returns its path. */
  stage(source: string, below: string): string;
  /**
   * Starts the app under the driver. The app ends with the bed at the latest. `colorScheme` is emulated only if it is given.
   */
  launch(options?: ElectronLaunch & { colorScheme?: 'light' | 'dark' }): Promise<ElectronApplication>;
  /**
   * Runs the app to its end without a driver. After `timeoutMs`, by default {@link patienceMs}, it is killed and has no exit
   * code.
   */
  run(options?: ElectronLaunch & { timeoutMs?: number }): Promise<ElectronRun>;
  /** Runs a script on the staged Node as the same user and on the same display; otherwise like `run`. */
  runNode(args: string[], options?: NodeRun): Promise<ElectronRun>;
  /** Ends every process that it started, and removes its files. */
  close(): Promise<void>;
}

/** Options of a bed. */
export interface BedOptions {
  /** If false, the built app is not staged. For tests that start packaged apps only. */
  stagesApp?: boolean;
}

/**
 * Makes a bed for the tests of this file, before the first test, and closes it after the last. Call this at the top level of
 * the file.
 */
export function electronForThisFile(options: BedOptions = {}): ElectronBed {
  let bed: ElectronBed | undefined;
  const made = (): ElectronBed => {
    if (bed === undefined) throw new Error('The Electron for this file is there only while its tests run');
    return bed;
  };
  beforeAll(async () => void (bed = await openElectronBed(options)));
  afterAll(async () => bed?.close());
  return {
    get version() {
      return made().version;
    },
    get runtime() {
      return made().runtime;
    },
    get app() {
      return made().app;
    },
    newFolder: () => made().newFolder(),
    newCoreFolder: () => made().newCoreFolder(),
    stage: (source, below) => made().stage(source, below),
    launch: (options) => made().launch(options),
    run: (options) => made().run(options),
    runNode: (args, options) => made().runNode(args, options),
    close: async () => bed?.close(),
  };
}

/** Like {@link electronForThisFile} without hooks; the caller closes the bed. Without a runtime it fails with instructions. */
export async function openElectronBed({ stagesApp = true }: BedOptions = {}): Promise<ElectronBed> {
  const found = findTestElectron();
  if (found === null) throw new Error('No Electron was found. Run `npm test`, which says how to get one.');
  const user = plainUser();
  const root = mkdtempSync(join(tmpdir(), 'countersign-electron-'));
  chmodSync(root, 0o755);
  const app = join(root, 'app');
  if (stagesApp) stageApp(app, bindingFor(found));
  const home = ownFolder(user, join(root, 'home'));
  const runtime = readableRuntime(found, user, join(root, 'runtime'));
  const executable = user.wrap(runtime.executable, root);
  const display = process.platform === 'linux' ? await startXDisplay(join(root, 'authority')) : null;
  if (display) user.own(display.env.XAUTHORITY);

  const waitForDriver = join(root, 'wait-for-driver.cjs');
  copyReadable(fileURLToPath(new URL('./electron/wait-for-driver.cjs', import.meta.url)), waitForDriver);
  const environment = { ...cleanEnvironment(home), ...display?.env };
  const groups: number[] = [];
  const applications: ElectronApplication[] = [];
  let folders = 0;

  const newFolder = (): string => ownFolder(user, join(root, 'data', String((folders += 1))));

  function begin({ program, main = '', args = [], userData = newFolder(), env = {} }: ElectronLaunch) {
    const started = program === undefined ? [main.startsWith('/') ? main : join(app, main)] : [];
    return {
      file: program === undefined ? executable : user.wrap(program, newFolder()),
      args: [...(userData === null ? [] : [`--user-data-dir=${userData}`]), ...started, ...args],
      env: { ...environment, ...env },
    };
  }

  return {
    version: runtime.version,
    runtime: runtime.folder,
    app,
    newFolder,
    newCoreFolder: () => mkdtempSync(join(root, 'core-')),
    stage(source, below) {
      copyReadable(source, join(app, below));
      return join(app, below);
    },
    async launch({ colorScheme, ...options } = {}) {
      const { file, args, env } = begin(options);
      const application = await _electron.launch({
        // A packaged app does not accept `-r`. A packaged app for tests already contains this module.
        args: options.program === undefined ? ['-r', waitForDriver, ...args] : args,
        env,
        executablePath: file,
        cwd: home,
        // Without this the driver adds --no-sandbox.
        chromiumSandbox: true,
        colorScheme: colorScheme ?? null,
        // A program that shows an error dialog does not answer.
        timeout: patienceMs,
      });
      application.context().setDefaultTimeout(patienceMs);
      groups.push(application.process().pid ?? 0);
      holdResults(application);
      applications.push(application);
      return application;
    },
    async run({ timeoutMs = patienceMs, ...options } = {}) {
      const { file, args, env } = begin(options);
      return runElectron(file, { args, env, timeoutMs, onStart: (pid) => void groups.push(pid) });
    },
    runNode: async (args, { env = {}, timeoutMs = patienceMs, onStart } = {}) =>
      runElectron(user.wrap(join(app, 'node_modules/node/bin/node'), root), {
        args,
        env: { ...environment, ...env },
        timeoutMs,
        onStart(pid) {
          groups.push(pid);
          onStart?.(pid);
        },
      }),
    async close() {
      await endTrees(groups.filter((pid) => pid > 0));
      await Promise.all(applications.map(async (application) => application.close().catch(() => undefined)));
      await display?.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/**
 * Lets a test receive what it evaluates in the main process even if V8 collects the promise that the driver waits for: nothing
 * else holds this promise, and Node runs microtasks late. Each function runs once; the main process holds its result until
 * the driver has it. Handles (`evaluateHandle`, `browserWindow`) can still be lost.
 */
function holdResults(application: ElectronApplication): void {
  const evaluate = application.evaluate.bind(application);
  let calls = 0;
  application.evaluate = async (run: unknown, argument?: unknown) => {
    const call = (calls += 1);
    const once = () => undefined;
    // The driver sends the text of a function.
    once.toString = () => `(electron, argument) => {
      const results = (globalThis.resultsForTests ??= new Map());
      if (!results.has(${call})) results.set(${call}, (${String(run)})(electron, argument));
      return results.get(${call});
    }`;
    for (;;) {
      try {
        return await evaluate(once, argument);
      } catch (failure) {
        if (!String(failure).includes('promise was garbage collected')) throw failure;
      }
    }
  };
}

/**
 * If the released binding does not load, the binding for tests is staged at the path at which better-sqlite3 looks for a
 * compiled binding, so that cores run inside Electron. Without a binding for tests, cores run on the staged Node.
 */
function bindingFor(runtime: ElectronRuntime): Record<string, string> {
  const binding = findTestBinding(runtime);
  if (binding === null || binding.isReleased) return {};
  return { 'node_modules/better-sqlite3/build/Release/better_sqlite3.node': binding.file };
}

/** Returns the runtime that was found, or a copy of it if the user cannot read it. */
function readableRuntime(found: ElectronRuntime, user: PlainUser, copy: string): ElectronRuntime {
  if (user.canRead(found.executable)) return found;
  copyReadable(found.folder, copy);
  return { ...found, folder: copy, executable: found.executable.replace(found.folder, copy) };
}

/** Returns the environment of a plain desktop without a message bus, whose answers would depend on the machine. */
function cleanEnvironment(home: string): Record<string, string> {
  const { PATH = '', LANG = 'C.UTF-8', TZ } = process.env;
  return {
    PATH,
    LANG,
    ...(TZ !== undefined && { TZ }),
    // macOS finds a person's keychain by HOME. The app's own files are at the paths below.
    HOME: process.platform === 'darwin' ? (process.env['HOME'] ?? home) : home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    ...(process.platform === 'win32' && windowsEnvironment(home)),
  };
}

/** Without these variables no program starts on Windows, or it would keep its files in the profile of the tests' user. */
function windowsEnvironment(home: string): Record<string, string> {
  const ofSystem = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP'];
  return {
    ...Object.fromEntries(ofSystem.map((name) => [name, process.env[name] ?? ''])),
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: join(home, 'AppData', 'Local'),
  };
}
