/**
 * Runs inside Electron: `main.cjs <utility | fork> <all | die> <folder of the bundles>`. `all` runs every case and prints a
 * line of JSON for each. `die` starts a core, prints its pid, and exits without telling the core.
 */
import { join } from 'node:path';
import { app } from 'electron';
import { startForkedProcess } from '#electron/core-link/core-process.ts';
import { startUtilityProcess } from '#electron/core-link/system-core.ts';
import { coreLinkCases, type Start } from './cases.ts';
import type { EchoReport } from './echo-core.ts';

const [kind, mode, appFolder = ''] = process.argv.slice(-3);
const echo = join(import.meta.dirname, 'echo-core.mjs');
const node = join(appFolder, 'node_modules/node/bin/node');

const start: Start = (file = echo) =>
  kind === 'utility' ? startUtilityProcess(file, 'A core under test') : startForkedProcess(file, node);

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function runAll(): Promise<void> {
  for (const [name, run] of Object.entries(coreLinkCases)) {
    try {
      await run(start);
      say({ name, failure: null });
    } catch (error) {
      say({ name, failure: String(error) });
    }
  }
  app.exit(0);
}

function die(): void {
  const core = start();
  core.onMessage((message) => {
    process.stdout.write(`${(message as { output: EchoReport }).output.pid}\n`, () =>
      process.kill(process.pid, 'SIGKILL'),
    );
  });
  core.send({ kind: 'ask', id: 1, surface: 'app', name: 'echo', input: { do: 'report' } });
}

// An error while a case loads is printed to standard error. Electron's dialog would wait for a click.
void app.whenReady().then(() => (mode === 'die' ? die() : runAll()));
