import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { desktopProjects, skippedVariable } from './scripts/lib/desktop-projects.ts';
import { findTestElectron } from './scripts/lib/find-electron.ts';
import { LongestFirst } from './scripts/lib/longest-first.ts';
import { findMemoryFolder } from './scripts/lib/memory-folder.ts';
import { RunRecord } from './scripts/lib/run-record.ts';
import { projectRoot } from './scripts/lib/run-tool.ts';
import { isSoak, lookEveryMs, patienceMs, runsPrograms } from './scripts/lib/test-settings.ts';
import { storeOnly } from './vite.main.config.ts';

// Tests start the core and the commands hundreds of times from their sources, and share what Node compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(projectRoot, 'node_modules/.cache/compiled');

// Some files of the desktop's main process import Electron's package, which fails without a runtime.
const electron = findTestElectron();
if (electron !== null) process.env['ELECTRON_OVERRIDE_DIST_PATH'] ??= electron.folder;

/** Runs before every test file. */
const setupFiles = [
  'test/setup/refuse-network.ts',
  'test/setup/nothing-left-open.ts',
  'test/setup/property-runs.ts',
];

/**
 * Temporary folders are in memory unless TMPDIR names another place. Electron's projects start programs from their folders and
 * use the disk.
 */
const memoryFolder = process.env['TMPDIR'] === undefined ? findMemoryFolder() : null;
const inMemory = { env: memoryFolder === null ? {} : { TMPDIR: memoryFolder } };

const soakFiles = 'test/**/*.soak.test.ts';

/** Options of every project. Files of a project share a process, so that modules are loaded once. */
const shared = {
  setupFiles,
  isolate: false,
  maxWorkers: availableParallelism(),
  // V8 of Node 24 sometimes ends the process when it frees a call wrapper of WebAssembly (fetch has such wrappers) that it
  // replaced after many calls (nodejs/node#64500). With this limit it replaces none.
  execArgv: ['--wasm-wrapper-tiering-budget=2147483647'],
  exclude: [soakFiles],
  // Only ends tests that hang: a wait gives up long before.
  testTimeout: 5 * patienceMs,
  hookTimeout: 5 * patienceMs,
  expect: { poll: { timeout: patienceMs, interval: lookEveryMs } },
};

/** Tests outside `test/core` that open listeners, start processes or use SQLite. */
const withResources = [
  'test/electron/updates/*.test.ts',
  'test/system/http/*.test.ts',
  'test/system/policy/*.test.ts',
  'test/system/restrict-folder.test.ts',
  'test/shared/errors/parse-input.test.ts',
];

/** Tests of commands that run for many seconds. */
const longCommands = ['test/headless/{demo,report,no-telemetry}.test.ts'];

/** Projects that `npm test` leaves out because this machine has no Electron for them. */
const skippedProjects = (process.env[skippedVariable] ?? '').split(',');

/** CONTRIBUTING.md lists the projects, and the command that runs each. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new RunRecord()],
    projects: [
      {
        // electron-store as it is in the build.
        plugins: [storeOnly],
        test: {
          ...shared,
          ...inMemory,
          server: { deps: { inline: [/node_modules\/(?:electron-store|conf|atomically)\//] } },
          name: 'pure',
          include: ['test/{shared,system,electron,renderer}/**/*.test.{ts,tsx}'],
          exclude: [soakFiles, ...withResources],
          setupFiles: [...setupFiles, 'test/setup/refuse-resources.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...inMemory,
          name: 'core',
          include: ['test/core/**/*.test.ts', ...withResources],
        },
      },
      {
        test: {
          ...shared,
          ...inMemory,
          name: 'host',
          include: ['test/headless/**/*.test.ts'],
          exclude: [soakFiles, ...longCommands],
        },
      },
      {
        test: {
          ...shared,
          ...inMemory,
          name: 'journeys',
          include: ['test/e2e/journeys/**/*.test.ts'],
          provide: { host: 'browser' },
        },
      },
      {
        test: {
          ...shared,
          name: 'electron',
          ...desktopProjects.electron,
          globalSetup: 'test/desktop/host/build.ts',
          provide: { host: 'desktop' },
        },
      },
      { test: { ...shared, ...inMemory, name: 'scripts', include: ['test/scripts/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          ...inMemory,
          name: 'clients',
          include: ['test/{clients,conformance}/**/*.test.ts', ...longCommands],
        },
      },
      {
        test: {
          ...shared,
          ...inMemory,
          name: 'browser',
          include: ['test/e2e/{browser,planted,chart}/**/*.test.ts'],
          provide: { host: 'browser' },
        },
      },
      {
        test: {
          ...shared,
          name: 'desktop',
          ...desktopProjects.desktop,
          globalSetup: 'test/desktop/host/build.ts',
          provide: { host: 'desktop' },
        },
      },
      {
        test: {
          ...shared,
          ...inMemory,
          isolate: true,
          name: 'kills',
          include: ['test/kills/**/*.test.ts'],
        },
      },
      { test: { ...shared, isolate: true, name: 'package', ...desktopProjects.package } },
      {
        test: {
          ...shared,
          isolate: true,
          name: 'packaged',
          ...desktopProjects.packaged,
          globalSetup: 'test/packaged/pack.ts',
        },
      },
      ...(isSoak
        ? [{ test: { ...shared, ...inMemory, name: 'soak', include: [soakFiles], exclude: [] } }]
        : []),
      ...(runsPrograms
        ? [{ test: { ...shared, ...inMemory, name: 'programs', include: ['test/programs/**/*.test.ts'] } }]
        : []),
    ].filter(({ test }) => !skippedProjects.includes(test.name)),
  },
});
