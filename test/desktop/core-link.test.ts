import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startForkedProcess } from '#electron/core-link/core-process.ts';
import { isRunning } from '../../scripts/lib/processes.ts';
import { patienceMs } from '../../scripts/lib/test-settings.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { bundleCoreLinkTest } from './core-link/bundle.ts';
import { coreLinkCases } from './core-link/cases.ts';

const electron = electronForThisFile();
const bundles = mkdtempSync(join(tmpdir(), 'countersign-core-link-'));
const echo = fileURLToPath(new URL('core-link/echo-core.ts', import.meta.url));
let main = '';

beforeAll(async () => {
  await bundleCoreLinkTest(bundles);
  main = join(electron.stage(bundles, 'test/core-link'), 'main.cjs');
});

afterAll(() => rmSync(bundles, { recursive: true, force: true }));

describe('a core in a plain Node process', () => {
  test.each([
    [{ do: 'exit', code: 7 }, 7],
    [{ do: 'throw' }, 1],
    [{ do: 'kill-itself' }, null],
  ])('that receives %o ends with the code %s', async (input, code) => {
    const core = startForkedProcess(echo, process.execPath);
    core.send({ kind: 'ask', id: 1, surface: 'app', name: 'echo', input });
    expect(await new Promise((resolve) => core.onExit(resolve))).toBe(code);
  });

  test('without its Node executable is reported as ended and throws nothing', async () => {
    const core = startForkedProcess(echo, '/nowhere/node');
    core.send({ kind: 'quit' });
    core.kill();
    expect(await new Promise((resolve) => core.onExit(resolve))).toBeNull();
  });
});

describe.each(['utility', 'fork'])('a core that Electron started as %s', (kind) => {
  test('meets every case of the core link table', async () => {
    const { lines, complaints } = await electron.run({
      main,
      args: [kind, 'all', electron.app],
      timeoutMs: 2 * patienceMs,
    });
    const reported: unknown[] = lines.map((line) => JSON.parse(line));
    const expected = Object.keys(coreLinkCases).map((name) => ({ name, failure: null }));
    expect(reported, complaints.join('\n')).toEqual(expected);
  });

  test('ends when its host is killed', async () => {
    const { lines, exitCode, tookTooLong } = await electron.run({
      main,
      args: [kind, 'die', electron.app],
    });
    expect(exitCode).toBeNull();
    // The run ends when no process has its output open any more, the core included.
    expect(tookTooLong).toBe(false);
    const [pid = ''] = lines;
    expect(Number(pid)).toBeGreaterThan(1);
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });
});
