import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDeb } from '../../scripts/package/linux/make-deb.ts';
import { makeRpm } from '../../scripts/package/linux/make-rpm.ts';
import { testMark } from '../../scripts/package/test-mark.ts';
import { requireTool } from '../servers/require-tool.ts';

const work = mkdtempSync(join(tmpdir(), 'countersign-packages-'));
afterAll(() => rmSync(work, { recursive: true }));
const newFolder = (): string => mkdtempSync(join(work, 'part-'));

const licences = ['THIRD-PARTY-NOTICES.txt', 'LICENSE.electron.txt', 'LICENSES.chromium.html'];

/** Makes a small packed app. The contents of the packages do not depend on its size. */
async function packedApp(manifest: Record<string, string>): Promise<string> {
  const [folder, app] = [newFolder(), newFolder()];
  mkdirSync(join(folder, 'resources'));
  for (const name of ['countersign', 'chrome-sandbox', 'chrome_crashpad_handler'])
    copyFileSync('/bin/true', join(folder, name));
  for (const name of licences) writeFileSync(join(folder, name), 'A licence');
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
  await createPackage(app, join(folder, 'resources/app.asar'));
  return folder;
}

const fields = (deb: string): string => execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' });
const epochSeconds = 1_795_000_000;
let released: string;
let tree: string;

beforeAll(async () => {
  const folder = await packedApp({ version: '0.1.0' });
  released = makeDeb({ folder, arch: 'x64', epochSeconds }, newFolder());
  tree = newFolder();
  execFileSync('dpkg-deb', ['--raw-extract', released, tree]);
}, 60_000);

test('the deb states its name, dependencies and description, and has no scripts', () => {
  const control = fields(released);
  expect(control).toMatch(/^Package: countersign\nVersion: 0\.1\.0\nArchitecture: amd64\n/);
  expect(control).toMatch(/^Depends: .*\blibgtk-3-0, .*\blibc6 \(>= 2\.\d+\)$/m);
  expect(readdirSync(join(tree, 'DEBIAN')).toSorted()).toEqual(['control', 'md5sums']);
});

test('every file in the deb belongs to root and only root can write it, and one helper is setuid', () => {
  const list = execFileSync('dpkg-deb', ['--contents', released], { encoding: 'utf8' }).trim().split('\n');
  for (const line of list) expect(line).toMatch(/^(?:l\S{9}|[d-]rw.r-.r-.) root\/root /);
  expect(list.filter((line) => /^-..s/.test(line)).map((line) => line.split(' ').at(-1))).toEqual([
    './opt/countersign/chrome-sandbox',
  ]);
});

test('the menu entry and the metadata for software centres are valid, and name files of the package', () => {
  const entry = join(tree, 'usr/share/applications/countersign.desktop');
  const metadata = join(tree, 'usr/share/metainfo/app.countersign.desktop.metainfo.xml');
  execFileSync(requireTool('desktop-file-validate', 'desktop-file-utils'), [entry]);
  const checked = spawnSync(requireTool('appstreamcli', 'appstream'), ['validate', '--no-net', metadata]);
  expect(checked.status, String(checked.stdout)).toBe(0);
  expect(readFileSync(entry, 'utf8')).toContain('\nExec=/opt/countersign/countersign\n');
  expect(readdirSync(join(tree, 'usr/share/icons/hicolor')).toSorted()).toEqual([
    '128x128',
    '16x16',
    '32x32',
    '512x512',
    'scalable',
  ]);
});

test('the deb contains the licences of all its parts, and its copyright file names each of them', () => {
  const installed = readdirSync(join(tree, 'opt/countersign'));
  const copyright = readFileSync(join(tree, 'usr/share/doc/countersign/copyright'), 'utf8');
  for (const name of licences) {
    expect(installed).toContain(name);
    expect(copyright).toContain(`\n  ${name}  `);
  }
});

test('identical apps make identical debs, byte for byte', async () => {
  const folder = await packedApp({ version: '0.1.0' });
  const again = makeDeb({ folder, arch: 'x64', epochSeconds }, newFolder());
  const contents = (deb: string): string =>
    execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' });
  expect(contents(again)).toBe(contents(released));
  expect(readFileSync(again).equals(readFileSync(released))).toBe(true);
});

test('a package made for tests states that in its version, which sorts before the release', async () => {
  const folder = await packedApp({ version: '0.1.0', [testMark]: 'Electron 33.4.11' });
  const made = makeDeb({ folder, arch: 'x64', epochSeconds }, newFolder());
  expect(made).toMatch(/countersign_0\.1\.0~test_amd64\.deb$/);
  expect(fields(made)).toContain('\nVersion: 0.1.0~test\n');
  const isOlder = spawnSync('dpkg', ['--compare-versions', '0.1.0~test', 'lt', '0.1.0']).status;
  expect(isOlder).toBe(0);
});

test('the rpm has the same files as the deb, requires the program’s libraries, and provides none to other packages', async () => {
  const rpm = requireTool('rpm', 'rpm');
  const folder = await packedApp({ version: '0.1.0' });
  const made = makeRpm({ folder, arch: 'x64', epochSeconds }, newFolder());
  const ask = (...args: string[]): string[] =>
    execFileSync(rpm, ['-qp', ...args, made], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const files = execFileSync('find', ['.', '-not', '-type', 'd', '-not', '-path', './DEBIAN/*'], {
    cwd: tree,
    encoding: 'utf8',
  });
  const packed = ask('--list');
  for (const file of files.trim().split('\n')) expect(packed).toContain(file.slice(1));
  for (const name of licences) expect(packed).toContain(`/opt/countersign/${name}`);
  expect(ask('--requires')).toContain('libc.so.6()(64bit)');
  expect(ask('--requires')).toContain('libsecret-1.so.0()(64bit)');
  expect(ask('--provides').filter((name) => /\.so/.test(name))).toEqual([]);
  expect(ask('--scripts').join('')).toBe('');
  expect(ask('--dump').find((line) => line.includes('chrome-sandbox'))).toMatch(/ 0104755 root root /);
}, 60_000);
