import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { downloadElectron } from '../../scripts/lib/download-electron.ts';
import { plantProject } from './check/planted-project.ts';

/** A package like Electron's whose installer does this; `here` is its folder. */
const plantPackage = (installer: string): string =>
  plantProject({
    'package.json': '{"type":"commonjs"}',
    'install.js': `const fs = require('fs'); const here = __dirname + '/'; ${installer}`,
  });

test.runIf(process.platform === 'linux')('what the installer has brought is found', async () => {
  const folder = plantPackage(`
    fs.mkdirSync(here + 'dist');
    fs.writeFileSync(here + 'dist/electron', '');
    fs.writeFileSync(here + 'dist/version', '45.4.1');
    fs.writeFileSync(here + 'path.txt', 'electron');
  `);
  expect(await downloadElectron(20_000, {}, folder)).toMatchObject({
    executable: join(folder, 'dist/electron'),
    version: '45.4.1',
  });
});

test('an installer that fails brings nothing', async () => {
  expect(await downloadElectron(20_000, {}, plantPackage('process.exit(1);'))).toBeNull();
});

test('an installer that takes too long is ended, and what it has half unpacked is not taken for whole', async () => {
  const folder = plantPackage(`
    fs.mkdirSync(here + 'dist');
    fs.writeFileSync(here + 'dist/electron', '');
    fs.writeFileSync(here + 'dist/version', '45.4.1');
    fs.writeFileSync(here + 'path.txt', 'electron');
    fs.writeFileSync(here + 'pid', String(process.pid));
    setInterval(() => {}, 1_000);
  `);
  expect(await downloadElectron(1_500, {}, folder)).toBeNull();
  expect(existsSync(join(folder, 'path.txt'))).toBe(false);
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
});

test('nothing is downloaded where the environment names a runtime', async () => {
  const folder = plantPackage("fs.writeFileSync(here + 'ran', '');");
  expect(await downloadElectron(20_000, { ELECTRON_OVERRIDE_DIST_PATH: '/gone' }, folder)).toBeNull();
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});
