import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isRunning } from '../../scripts/lib/processes.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';

const electron = electronForThisFile();
let opener: string;

// Runs `npm start` without the build.
beforeAll(() => {
  electron.stage(join(projectRoot, 'scripts'), 'scripts');
  opener = join(electron.app, 'open.ts');
  writeFileSync(
    opener,
    `import { openApp } from './scripts/lib/open-app.ts';\nprocess.exitCode = await openApp(process.argv.slice(2));\n`,
  );
});

async function endWhen(pid: number, holds: () => boolean): Promise<void> {
  await expect.poll(holds).toBe(true);
  process.kill(pid, 'SIGTERM');
}

test('npm start opens the desktop app and leaves no process running after its end', async () => {
  const folder = electron.newFolder();
  const log = join(folder, 'data/logs/countersign.log');
  const ready = (): boolean => existsSync(log) && readFileSync(log, 'utf8').includes('The core is ready');
  let ended: Promise<void> | undefined;
  let desktop = 0;
  const run = await electron.runNode([opener, '--data-folder', folder, '--campaigns', '9'], {
    env: { ELECTRON_OVERRIDE_DIST_PATH: electron.runtime },
    onStart: (pid) => {
      desktop = pid;
      ended = endWhen(pid, ready);
    },
  });
  await ended;
  expect(run.lines).toEqual(['The desktop app does not know --campaigns 9: left out.']);
  // The exit code is Electron's own: a process that ends while its first page loads may crash on its windows.
  expect(readFileSync(log, 'utf8')).toContain('The core has ended');
  expect(readdirSync(join(folder, 'data'))).not.toContain('lock.json');
  expect(isRunning(desktop)).toBe(false);
});

test('npm start without a display opens the browser host and prints one line about it', async () => {
  const folder = electron.newFolder();
  let ended: Promise<void> | undefined;
  const run = await electron.runNode([opener, '--no-open', '--data-folder', folder], {
    env: { DISPLAY: '', ELECTRON_OVERRIDE_DIST_PATH: electron.runtime },
    onStart: (pid) => void (ended = endWhen(pid, () => existsSync(join(folder, 'lock.json')))),
  });
  await ended;
  expect(run.lines[0]).toBe('There is no display for the desktop window: opening in the browser, Demo only.');
  expect(run.exitCode).toBe(143);
});
