import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../scripts/lib/processes.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { tempFolder } from '../servers/temp-folder.ts';

const electron = electronForThisFile();

const oneWindow = `
  const { app, BrowserWindow } = require('electron');
  app.enableSandbox();
  void app.whenReady().then(async () => {
    const window = new BrowserWindow({ webPreferences: { sandbox: true } });
    await window.loadURL('data:text/html,<title>Here</title><h1>Here</h1>');
  });
`;

function staged(source: string): string {
  const file = join(tempFolder(), 'main.cjs');
  writeFileSync(file, source);
  return electron.stage(file, 'test/main.cjs');
}

test('desktop tests run the real Electron with its sandbox and not as root', async () => {
  const app = await electron.launch({ main: staged(oneWindow) });
  const page = await app.firstWindow();
  await expect.poll(() => page.locator('h1').textContent()).toBe('Here');
  const facts = await app.evaluate(({ app: electronApp }) => ({
    uid: process.getuid?.(),
    argv: process.argv,
    unsandboxed: electronApp.commandLine.hasSwitch('no-sandbox'),
  }));
  expect(facts.uid).not.toBe(0);
  expect(facts.argv).not.toContain('--no-sandbox');
  expect(facts.unsandboxed).toBe(false);
  await app.close();
});

test('what is evaluated in the main process runs once, and its value arrives although memory is collected meanwhile', async () => {
  const app = await electron.launch({
    main: staged(`${oneWindow}
      require('node:v8').setFlagsFromString('--expose-gc');
      globalThis.collect = require('node:vm').runInNewContext('gc');
    `),
  });
  const arrived = await app.evaluate((_electron, value) => {
    const main = globalThis as unknown as { collect: () => void; runs?: number };
    main.runs = (main.runs ?? 0) + 1;
    queueMicrotask(main.collect);
    return { value, runs: main.runs };
  }, 'here');
  expect(arrived).toEqual({ value: 'here', runs: 1 });
  await app.close();
});

test('a run without a driver returns its output and exit code', async () => {
  const main = staged("console.log('one'); console.log('two'); process.exit(7);");
  expect(await electron.run({ main })).toMatchObject({ lines: ['one', 'two'], exitCode: 7 });
});

test('a run that takes too long is ended', async () => {
  const script = staged('setInterval(() => {}, 1000);');
  let program = 0;
  const run = await electron.runNode([script], { timeoutMs: 1, onStart: (pid) => void (program = pid) });
  expect(run).toMatchObject({ exitCode: null, tookTooLong: true });
  expect(isRunning(program)).toBe(false);
});
