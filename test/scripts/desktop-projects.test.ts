import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  desktopProjects,
  onBothHosts,
  packagedProjects,
  skippedLines,
} from '../../scripts/lib/desktop-projects.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { plantProject } from './check/planted-project.ts';

const all = Object.keys(desktopProjects) as (keyof typeof desktopProjects)[];

test('a run without Electron ends with the name and number of files of every skipped project', () => {
  const root = plantProject({
    'test/desktop/boot.test.ts': '',
    'test/desktop/confirmation/show.test.ts': '',
    'test/desktop/host/build.ts': '',
    'test/e2e/browser/agents.test.ts': '',
    'test/e2e/browser/killed.test.ts': '',
    'test/e2e/desktop/doctor.test.ts': '',
    'test/e2e/browser/addresses.test.ts': '',
    'test/package/linux-dir.test.ts': '',
    'test/packaged/pack.ts': '',
    'test/packaged/first-row.test.ts': '',
    'test/kills/write-path.test.ts': '',
  });
  expect(skippedLines(all, 'there is no Electron on this machine', root)).toEqual([
    'Skipped 6 test files, because there is no Electron on this machine:',
    '  project electron: 1 test file skipped',
    '  project desktop: 3 test files skipped',
    '  project package: 1 test file skipped',
    '  project packaged: 1 test file skipped',
  ]);
  expect(skippedLines(packagedProjects, 'no binding loads', root)).toEqual([
    'Skipped 1 test file, because no binding loads:',
    '  project packaged: 1 test file skipped',
  ]);
});

test('each project that needs Electron has files', () => {
  const lines = skippedLines(all, 'none');
  expect(lines).toHaveLength(1 + all.length);
  expect(lines.join()).not.toMatch(/\b0 /);
});

test('each scenario that runs on both hosts exists and states what differs between them', () => {
  for (const [file, reason] of Object.entries(onBothHosts)) {
    expect(existsSync(join(projectRoot, file)), file).toBe(true);
    expect(reason.length).toBeGreaterThan(20);
  }
});
