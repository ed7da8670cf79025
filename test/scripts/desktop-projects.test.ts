import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { desktopProjects, onBothHosts, skippedLines } from '../../scripts/lib/desktop-projects.ts';
import { plantProject } from './check/planted-project.ts';

test('the last lines of a run without Electron name every project that was skipped, and count its files', () => {
  const root = plantProject({
    'test/desktop/boot.test.ts': '',
    'test/desktop/confirmation/show.test.ts': '',
    'test/desktop/host/build.ts': '',
    'test/e2e/browser/agents.test.ts': '',
    'test/e2e/both-hosts/killed.test.ts': '',
    'test/e2e/desktop/doctor.test.ts': '',
    'test/e2e/browser/addresses.test.ts': '',
    'test/package/linux-dir.test.ts': '',
    'test/kills/write-path.test.ts': '',
  });
  expect(skippedLines(root)).toEqual([
    'Skipped 5 test files, because there is no Electron on this machine:',
    '  project desktop: 2 test files skipped',
    '  project e2e-desktop: 2 test files skipped',
    '  project package: 1 test file skipped',
  ]);
});

test('in this checkout none of them is empty', () => {
  expect(skippedLines()).toHaveLength(1 + Object.keys(desktopProjects).length);
  expect(skippedLines().join()).not.toMatch(/\b0 /);
});

test('each scenario that runs on both hosts says what differs between them', () => {
  const folder = new URL('../e2e/both-hosts/', import.meta.url);
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(onBothHosts).toSorted());
  for (const reason of Object.values(onBothHosts)) expect(reason.length).toBeGreaterThan(20);
});
