import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { desktopProjects, leftOutVariable } from './scripts/lib/desktop-projects.ts';
import { projectRoot } from './scripts/lib/run-tool.ts';
import { LongestFirst } from './scripts/lib/longest-first.ts';
import { findMemoryFolder } from './scripts/lib/memory-folder.ts';

// Tests start the core and the commands hundreds of times, from their sources: what one start compiled serves the others.
process.env['NODE_COMPILE_CACHE'] ??= join(projectRoot, 'node_modules/.cache/compiled');

/** Every test file runs behind these: no network beyond this machine, nothing left open. */
const setupFiles = ['test/setup/refuse-network.ts', 'test/setup/nothing-left-open.ts'];

/** One for every core: vitest itself keeps one free, which on two cores is half of the machine. */
const everyCore = { maxWorkers: availableParallelism() };

/** One more than there are cores: these mostly wait for a page or a process that they have started. */
const oneMoreThanCores = { maxWorkers: availableParallelism() + 1 };

/**
 * Temporary folders in memory, where nobody has named another place. A kill leaves there what it would leave on a disk, and
 * that rows are synced is seen in the system calls. The desktop's projects start programs from theirs, and keep to the disk.
 */
const memoryFolder = process.env['TMPDIR'] === undefined ? findMemoryFolder() : null;
const inMemory = { env: memoryFolder === null ? {} : { TMPDIR: memoryFolder } };

/**
 * Files that share a process load and compile every module once, which is 2 s of a processor for each of them. What modules
 * keep, such as the format of numbers, a core sets as it starts, and a test puts back.
 */
const sharing = { isolate: false };

/** A unit test that takes so long does not wait for a busy machine, but for something that never comes, in milliseconds. */
const hangsAfterMs = 180_000;

/** How long one wait of a scenario may take on a slow and noisy machine, in milliseconds. */
const patienceMs = 45_000;

/** What starts processes. Each file has its own folders, ports, browser and, for Electron, X display. */
const processes = {
  setupFiles,
  ...oneMoreThanCores,
  sequence: { groupOrder: 1 },
  hookTimeout: 120_000,
};

/** The scenarios of one host. */
const scenarios = { ...processes, testTimeout: 300_000, expect: { poll: { timeout: patienceMs } } };

/** Where no Electron can be had, or none that carries a core, `npm test` leaves out the projects that need one, and says so. */
const leftOut = (process.env[leftOutVariable] ?? '').split(',');

/**
 * One project per folder, so that each can be run alone (`npm run test:only -- --project unit`).
 * Groups run one after the other: unit tests fill the cores by themselves; the others mostly wait, each for its own processes.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{shared,system,core,electron,renderer,scripts}/**/*.test.{ts,tsx}'],
          setupFiles,
          ...everyCore,
          ...inMemory,
          ...sharing,
          sequence: { groupOrder: 0 },
          testTimeout: hangsAfterMs,
          hookTimeout: hangsAfterMs,
        },
      },
      {
        test: {
          ...processes,
          ...sharing,
          ...inMemory,
          name: 'host',
          include: [
            'test/headless/**/*.test.ts',
            'test/clients/**/*.test.ts',
            'test/conformance/**/*.test.ts',
          ],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...scenarios,
          ...sharing,
          ...inMemory,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/desktop/**'],
          provide: { host: 'browser', patienceMs },
        },
      },
      {
        test: {
          ...scenarios,
          ...sharing,
          name: 'e2e-desktop',
          ...desktopProjects['e2e-desktop'],
          provide: { host: 'desktop', patienceMs },
          globalSetup: 'test/desktop/host/build.ts',
        },
      },
      {
        test: {
          ...processes,
          ...sharing,
          name: 'desktop',
          ...desktopProjects.desktop,
          globalSetup: 'test/desktop/host/build.ts',
          testTimeout: 180_000,
          expect: { poll: { timeout: patienceMs } },
        },
      },
      {
        test: {
          ...processes,
          ...inMemory,
          name: 'kills',
          include: ['test/kills/**/*.test.ts'],
          testTimeout: 600_000,
        },
      },
      {
        test: {
          ...processes,
          name: 'package',
          ...desktopProjects.package,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...scenarios,
          name: 'packaged',
          ...desktopProjects.packaged,
          provide: { patienceMs },
          globalSetup: 'test/packaged/pack.ts',
        },
      },
    ].filter(({ test }) => !leftOut.includes(test.name)),
  },
});
