import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { downloadElectron } from '../../scripts/lib/download-electron.ts';
import { findElectron } from '../../scripts/lib/find-electron.ts';
import { isRunning } from '../../scripts/lib/processes.ts';
import { plantProject } from './check/planted-project.ts';
import { has } from '../servers/abilities.ts';

/**
 * Plants a package like Electron's with this installer. In the installer, `here` is the package's folder and `temp` the
 * folder of a download.
 */
function plantPackage(installer: string): string {
  const folder = plantProject({
    'package.json': '{"type":"commonjs"}',
    'install.js': `
      const fs = require('fs'); const here = __dirname + '/'; const temp = require('os').tmpdir() + '/';
      fs.writeFileSync(here + 'pid', String(process.pid));
      function finish() {
        fs.mkdirSync(here + 'dist', { recursive: true });
        fs.writeFileSync(here + 'dist/electron', '');
        fs.writeFileSync(here + 'dist/version', '45.4.1');
        fs.writeFileSync(here + 'path.txt', 'electron');
      }
      ${installer}`,
  });
  planted.push(folder);
  return folder;
}

const planted: string[] = [];
const pidOf = (folder: string): number => Number(readFileSync(join(folder, 'pid'), 'utf8'));

/** Ends processes that a test leaves in the background. */
afterEach(() => {
  for (const folder of planted.splice(0)) {
    if (!existsSync(join(folder, 'pid'))) continue;
    try {
      process.kill(pidOf(folder), 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
});

const defaults = { stallMs: 20_000, whenStalled: 'end', env: {} } as const;

test.runIf(has.linux)('the runtime that the installer downloaded is found', async () => {
  const folder = plantPackage('finish();');
  expect(await downloadElectron({ ...defaults, into: folder })).toMatchObject({
    kind: 'arrived',
    runtime: { executable: join(folder, 'dist/electron'), version: '45.4.1' },
  });
  expect(existsSync(join(folder, '.download'))).toBe(false);
});

test('a failed installer leaves no runtime, and its first line gives the reason', async () => {
  const folder = plantPackage("console.error('TypeError: fetch failed\\n  at somewhere'); process.exit(1);");
  expect(await downloadElectron({ ...defaults, into: folder })).toEqual({
    kind: 'failed',
    reason: 'TypeError: fetch failed',
  });
});

test.runIf(has.linux)(
  'a slow download continues as long as bytes arrive, and its progress is shown',
  async () => {
    const folder = plantPackage(`
      let sent = 0;
      const timer = setInterval(() => {
        fs.appendFileSync(temp + 'electron.zip', Buffer.alloc(1_000));
        if ((sent += 1) === 10) { clearInterval(timer); finish(); }
      }, 300);`);
    const seen: number[] = [];
    const onProgress = (bytes: number): void => void seen.push(bytes);
    const download = await downloadElectron({ ...defaults, stallMs: 1_500, into: folder, onProgress });
    expect(download.kind).toBe('arrived');
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  },
);

describe('a download that has stopped', () => {
  const stall = (then: string): string =>
    plantPackage(`
      fs.mkdirSync(here + 'dist');
      fs.writeFileSync(here + 'dist/electron', 'half');
      fs.writeFileSync(here + 'dist/version', '45.4.1');
      const wait = setInterval(() => {
        if (!fs.existsSync(here + 'go')) return;
        clearInterval(wait);
        ${then}
      }, 50);`);

  test('is ended if it is not needed, and its partly unpacked files do not count as complete', async () => {
    const folder = stall('');
    const download = await downloadElectron({ ...defaults, stallMs: 1_500, into: folder });
    expect(download).toEqual({ kind: 'stalled' });
    expect(findElectron({}, folder)).toBeNull();
    expect(isRunning(pidOf(folder))).toBe(false);
  });

  test('continues in the background, and the next start uses its runtime', async () => {
    const folder = stall('finish();');
    const options = { ...defaults, stallMs: 1_500, whenStalled: 'leave', into: folder } as const;
    expect(await downloadElectron(options)).toEqual({ kind: 'stalled' });
    expect(findElectron({}, folder)).toBeNull();
    const first = pidOf(folder);

    // A second start waits for the running download and does not begin another.
    const second = downloadElectron({ ...options, stallMs: 10_000 });
    writeFileSync(join(folder, 'go'), '');
    expect((await second).kind).toBe('arrived');
    expect(pidOf(folder)).toBe(first);
    expect(findElectron({}, folder)).toMatchObject({ version: '45.4.1' });
  });

  test('that ended with its machine is started again', async () => {
    const folder = plantPackage('finish();');
    mkdirSync(join(folder, '.download'));
    writeFileSync(join(folder, '.download/pid'), '4194304');
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/half'), 'half');
    writeFileSync(join(folder, 'path.txt'), 'electron');
    expect((await downloadElectron({ ...defaults, into: folder })).kind).toBe('arrived');
    expect(existsSync(join(folder, 'dist/half'))).toBe(false);
  });
});

test('Electron’s installer ignores a download address from the environment', async () => {
  const folder = plantPackage(
    "fs.writeFileSync(here + 'named', String(process.env.ELECTRON_OVERRIDE_DIST_PATH)); finish();",
  );
  await downloadElectron({ ...defaults, env: { ELECTRON_OVERRIDE_DIST_PATH: '/gone' }, into: folder });
  expect(readFileSync(join(folder, 'named'), 'utf8')).toBe('undefined');
});
