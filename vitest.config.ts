import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { desktopProjects, withoutDesktop } from './scripts/lib/desktop-projects.ts';

/** Every test file runs behind these: no network beyond this machine, nothing left open. */
const setupFiles = ['test/setup/refuse-network.ts', 'test/setup/nothing-left-open.ts'];

/** One for every core: vitest itself keeps one free, which on two cores is half of the machine. */
const everyCore = { maxWorkers: availableParallelism() };

/** A unit test that takes so long does not wait for a busy machine, but for something that never comes, in milliseconds. */
const hangsAfterMs = 60_000;

/** How long one wait of a scenario may take on a slow and noisy machine, in milliseconds. */
const patienceMs = 20_000;

/** The scenarios of one host: one after the other. */
const scenarios = {
  setupFiles,
  fileParallelism: false,
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: patienceMs } },
};

/** Where no Electron can be had, `npm test` leaves out the projects that need one, and says so. */
const runs = (name: string): boolean =>
  process.env[withoutDesktop] === undefined || !Object.hasOwn(desktopProjects, name);

/**
 * One project per folder, so that each can be run alone (`npm run test:only -- --project unit`).
 * Groups run one after the other: what is timed by real processes never shares the cores with the rest.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{shared,core,electron,renderer,scripts}/**/*.test.{ts,tsx}'],
          setupFiles,
          ...everyCore,
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
          setupFiles,
          ...everyCore,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...scenarios,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/desktop/**'],
          provide: { host: 'browser', patienceMs },
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...scenarios,
          name: 'e2e-desktop',
          ...desktopProjects['e2e-desktop'],
          provide: { host: 'desktop', patienceMs },
          globalSetup: 'test/desktop/host/build.ts',
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'desktop',
          ...desktopProjects.desktop,
          globalSetup: 'test/desktop/host/build.ts',
          setupFiles,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'kills',
          include: ['test/kills/**/*.test.ts'],
          setupFiles,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'package',
          ...desktopProjects.package,
          setupFiles,
          sequence: { groupOrder: 6 },
          testTimeout: 20_000,
        },
      },
    ].filter(({ test }) => runs(test.name)),
  },
});
