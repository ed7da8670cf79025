import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuses } from '../../scripts/package/fuses.ts';
import { reachedFiles } from '../../scripts/package/packaged-files.ts';
import { testMarkOf } from '../../scripts/package/test-mark.ts';
import { findTestElectron } from '../../scripts/lib/find-electron.ts';
import { importsOf } from '../../scripts/lib/imports-of.ts';
import type { Notice } from '../../scripts/lib/notices.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { tempFolder } from '../servers/temp-folder.ts';
import { makeLinuxFolder, type LinuxFolder } from '../servers/packaged/linux-folder.ts';

let made: LinuxFolder;
let files: string[];

const prebuild = `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`;

beforeAll(async () => {
  made = await makeLinuxFolder();
  // The list includes folders. An entry without entries below it is a file.
  const entries = listPackage(made.archive, { isPack: false }).map((path) => path.slice(1));
  files = entries.filter((path) => !entries.some((other) => other.startsWith(`${path}/`))).toSorted();
}, 180_000);

afterAll(() => made.remove());

test('the archive contains the bundle and better-sqlite3 only', () => {
  const folders = new Set(files.map((path) => path.split('/').slice(0, 2).join('/')));
  expect([...folders].toSorted()).toEqual([
    'node_modules/better-sqlite3',
    'out/main',
    'out/preload',
    'out/renderer',
    'package.json',
  ]);
  const main = files.filter((path) => path.startsWith('out/main/'));
  const isPicture = (path: string): boolean => path.startsWith('out/main/demo-pictures/');
  expect(main.filter((path) => !isPicture(path))).toEqual(reachedFiles(projectRoot));
  const pictures = readdirSync(join(projectRoot, 'src/main/core/backend/demo-data/pictures'));
  expect(main.filter(isPicture)).toEqual(pictures.map((name) => `out/main/demo-pictures/${name}`).toSorted());
  expect(files.filter((path) => path.startsWith('out/preload/'))).toEqual([
    'out/preload/app.cjs',
    'out/preload/confirm.cjs',
  ]);
  const pages = files.filter((path) => path.startsWith('out/renderer/'));
  expect(pages.filter((path) => !/\.(?:html|js|css|svg|woff2)$/.test(path))).toEqual([]);
  expect(files.filter((path) => /\.map$|\.ts$|test|countersign\.c?js$/.test(path))).toEqual([]);
});

test('a package made for tests states that, and is recognised by it', () => {
  expect(testMarkOf(made.archive)).toBe(`Electron ${findTestElectron()?.version}`);
});

test('only the parts of better-sqlite3 that run are included, with one binary next to the archive', () => {
  const own = files.filter((path) => path.startsWith('node_modules/') && !path.includes('/lib/'));
  expect(own).toEqual([
    'node_modules/better-sqlite3/LICENSE',
    'node_modules/better-sqlite3/package.json',
    prebuild,
  ]);
  const beside = readdirSync(`${made.archive}.unpacked`, { recursive: true, encoding: 'utf8' });
  expect(beside.filter((path) => statSync(join(`${made.archive}.unpacked`, path)).isFile())).toEqual([
    prebuild,
  ]);
});

test('only the archive is added to Electron’s files', () => {
  expect(readdirSync(join(made.folder, 'resources')).toSorted()).toEqual(['app.asar', 'app.asar.unpacked']);
  expect(readdirSync(made.folder)).toContain('countersign');
  expect(readdirSync(made.folder)).not.toContain('electron');
});

test('the licence notices of every bundled package, of Electron and of Chromium are next to the program', () => {
  const bundled = JSON.parse(
    readFileSync(join(projectRoot, 'out/notices/packages.json'), 'utf8'),
  ) as Notice[];
  const notices = readFileSync(join(made.folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(bundled.length).toBeGreaterThan(100);
  const missing = bundled.filter(({ name, version, text }) =>
    [name, version, text.trim()].some((part) => !notices.includes(part)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(readdirSync(made.folder)).toEqual(
    expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
  );
});

test('the code that installs updates, which is loaded only for an update, is included', () => {
  const holding = files
    .filter((path) => path.startsWith('out/main/'))
    .filter((path) => extractFile(made.archive, path).includes('exports.NsisUpdater = NsisUpdater'));
  expect(holding).toEqual([expect.stringMatching(/^out\/main\/chunks\//)]);
});

test('every import in the package resolves, its binary opens a database, and its report worker answers', async () => {
  const extracted = tempFolder();
  extractAll(made.archive, extracted);
  const outside = new Set<string | null>();
  for (const file of reachedFiles(extracted)) {
    for (const { specifier } of importsOf(file, readFileSync(join(extracted, file), 'utf8'))) {
      if (specifier?.startsWith('.') || isBuiltin(specifier ?? '')) continue;
      outside.add(specifier);
    }
  }
  expect([...outside].toSorted()).toEqual(['better-sqlite3', 'electron']);
  const line =
    "console.log(new (require('better-sqlite3'))(':memory:').prepare('SELECT 6 * 7').pluck().get())";
  expect(execFileSync(process.execPath, ['-e', line], { cwd: extracted, encoding: 'utf8' })).toBe('42\n');
  expect(await answerOf(join(extracted, 'out/main/report-worker.cjs'))).toEqual({
    kind: 'answered',
    id: 1,
    output: null,
  });
}, 60_000);

/** Starts a report worker as the core does, sends it one message, and ends it. */
async function answerOf(file: string): Promise<unknown> {
  const workerData = { file: join(tempFolder(), 'reports.sqlite'), maxCacheBytes: 1_000_000, profiles: null };
  const worker = new Worker(pathToFileURL(file), { workerData, env: {} });
  worker.postMessage({ id: 1, kind: 'forget', input: { profile: 'demo', keyHash: null } });
  const [answer] = (await once(worker, 'message')) as unknown[];
  await worker.terminate();
  return answer;
}

test('every fuse of the program is set as listed', async () => {
  const { version, ...wire } = await getCurrentFuseWire(join(made.folder, 'countersign'));
  expect(version).toBe(FuseVersion.V1);
  const table: Record<string, boolean> = fuses;
  const named = (fuse: string): string | undefined => FuseV1Options[Number(fuse)];
  const states = Object.entries(wire).map(([fuse, state]) => [named(fuse), state]);
  const wanted = Object.keys(wire).map((fuse) => [
    named(fuse),
    table[fuse] === true ? FuseState.ENABLE : FuseState.DISABLE,
  ]);
  expect(states).toEqual(wanted);
  // Every current Electron has the first eight fuses; an older runtime lacks the ninth.
  expect(states.length).toBeGreaterThanOrEqual(8);
});

test('the package is no larger than its parts', () => {
  const megabytes = (path: string): number => Math.round(statSync(path).size / 100_000) / 10;
  console.log(
    `app.asar ${megabytes(made.archive)} MB with better-sqlite3 beside it ` +
      `${megabytes(join(`${made.archive}.unpacked`, prebuild))} MB, program ${megabytes(join(made.folder, 'countersign'))} MB`,
  );
  // The archive includes electron-updater, the guide and the notices of 135 packages.
  expect(megabytes(made.archive)).toBeLessThan(10);
});
