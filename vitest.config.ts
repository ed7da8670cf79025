import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { desktopProjects, withoutDesktop } from './scripts/lib/desktop-projects.ts';
import { filesInMemory } from './scripts/lib/memory-folder.ts';

/** Every test file runs behind these: no network beyond this machine, nothing left open. */
const setupFiles = ['test/setup/refuse-network.ts', 'test/setup/nothing-left-open.ts'];

/** One for every core: vitest itself keeps one free, which on two cores is half of the machine. */
const everyCore = { maxWorkers: availableParallelism() };

/** A unit test that takes so long does not wait for a busy machine, but for something that never comes, in milliseconds. */
const hangsAfterMs = 60_000;

/** How long one wait of a scenario may take on a slow and noisy machine, in milliseconds. */
const patienceMs = 20_000;

/**
 * Files that start programs of their own: Chromium, Electron, the command. Each has its folder, its ports and its X display,
 * so that they run beside each other. A group, for the projects of one fill the cores together.
 */
const programs = { setupFiles, ...everyCore, sequence: { groupOrder: 1 } };

/** The scenarios of one host. */
const scenarios = {
  ...programs,
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: patienceMs } },
};

/** Where no Electron can be had, `npm test` leaves out the projects that need one, and says so. */
const runs = (name: string): boolean =>
  process.env[withoutDesktop] === undefined || !Object.hasOwn(desktopProjects, name);

/**
 * One project per folder, so that each can be run alone (`npm run test:only -- --project unit`).
 * Groups run one after the other: first what runs in the test's own process, then what starts programs.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{shared,core,electron,renderer,scripts}/**/*.test.{ts,tsx}'],
          setupFiles: [...setupFiles, 'test/setup/real-timers.ts'],
          env: filesInMemory(),
          ...everyCore,
          // One process for many files: what they import is loaded once. Nothing in `src` has state of its own to share.
          isolate: false,
          unstubGlobals: true,
          sequence: { groupOrder: 0 },
          testTimeout: hangsAfterMs,
          hookTimeout: hangsAfterMs,
        },
      },
      {
        test: {
          name: 'host',
          include: [
            'test/headless/**/*.test.ts',
            'test/clients/**/*.test.ts',
            'test/conformance/**/*.test.ts',
          ],
          ...programs,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...scenarios,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/desktop/**'],
          env: filesInMemory(),
          provide: { host: 'browser', patienceMs },
        },
      },
      {
        test: {
          ...scenarios,
          name: 'e2e-desktop',
          ...desktopProjects['e2e-desktop'],
          provide: { host: 'desktop', patienceMs },
          globalSetup: 'test/desktop/host/build.ts',
        },
      },
      {
        test: {
          name: 'desktop',
          ...desktopProjects.desktop,
          globalSetup: 'test/desktop/host/build.ts',
          ...programs,
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'kills',
          include: ['test/kills/**/*.test.ts'],
          ...programs,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'package',
          ...desktopProjects.package,
          ...programs,
          testTimeout: 20_000,
        },
      },
    ].filter(({ test }) => runs(test.name)),
  },
});
