import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackageWithOptions, extractAll, uncache } from '@electron/asar';
import { build } from 'vite';
import { findTestElectron } from '../../../scripts/lib/find-electron.ts';
import { findTestBinding, type TestBinding } from '../../../scripts/lib/test-binding.ts';
import { packagedProgram } from '../../../scripts/package/packaged-program.ts';
import { testMark } from '../../../scripts/package/test-mark.ts';
import { mainConfig } from '../../../vite.main.config.ts';
import { makeLinuxFolder } from './linux-folder.ts';

/** Unpacked folders of the packaged app, each with the program `countersign`, readable for everybody. */
export interface PackagedApp {
  /** The app as it would ship. Only the binding of better-sqlite3 differs if the runtime for tests needs another. */
  shipped: string;
  /** The app with an entry that a driver can connect to (driven-main.ts), for `ElectronBed.launch`. */
  driven: string;
  remove(): void;
}

/** Packs the built app around the runtime for tests so that its core runs inside. Fails if no binding loads in the runtime. */
export async function makePackagedApp(): Promise<PackagedApp> {
  const made = await makeLinuxFolder();
  try {
    const root = dirname(dirname(made.folder));
    const [shipped, driven] = [join(root, 'shipped'), join(root, 'driven')];
    await copyForTests(made.folder, shipped, { isDriven: false });
    await copyForTests(made.folder, driven, { isDriven: true });
    return { shipped, driven, remove: made.remove };
  } catch (failure) {
    made.remove();
    throw failure;
  }
}

/** Returns the path of the program in an unpacked folder. */
export const programIn = (folder: string): string => packagedProgram(folder);

/**
 * Copies an unpacked folder of the packaged app for tests, with a binding that loads in its runtime and, if `isDriven`, with
 * the entry for a driver. The copy is marked as made for tests. Fails if no binding loads.
 */
async function copyForTests(from: string, to: string, { isDriven }: { isDriven: boolean }): Promise<void> {
  const binding = bindingOfTests();
  await copyWithApp(from, to, async (app) => {
    if (!binding.isReleased) putBinding(binding, app);
    if (isDriven) await buildDrivenEntry(join(app, 'out/main'));
    changeManifest(app, isDriven ? { main: drivenEntry } : {});
  });
}

/** Copies an unpacked folder and changes the app's version. */
export async function copyAsVersion(from: string, to: string, version: string): Promise<void> {
  await copyWithApp(from, to, (app) => Promise.resolve(changeManifest(app, { version })));
}

/** The beginning of the address of the blank app's page. */
export const blankAddress = 'data:text/html';

/** An app with a single window with one word, and none of our code. */
const blankMain = `
  const { app, BrowserWindow } = require('electron');
  app.enableSandbox();
  void app.whenReady().then(() => new BrowserWindow().loadURL('${blankAddress},<title>Blank</title>Blank'));
`;

/** Copies an unpacked folder and replaces its app by a blank app for comparisons. */
export async function copyBlank(from: string, to: string): Promise<void> {
  await copyWithApp(from, to, async (app) => {
    for (const name of readdirSync(app)) rmSync(join(app, name), { recursive: true });
    const manifest = { name: 'blank', version: '0.0.0', main: 'main.cjs' };
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(app, 'main.cjs'), blankMain);
  });
  // Our notices list the contents of our app, so they are emptied.
  const notices = join(to, 'THIRD-PARTY-NOTICES.txt');
  rmSync(notices);
  writeFileSync(notices, '');
}

/** Copies an unpacked folder, and lets `change` edit its app, which is extracted to a folder for this. */
async function copyWithApp(from: string, to: string, change: (app: string) => Promise<void>): Promise<void> {
  // The copy consists of hard links, because the runtime is large.
  execFileSync('cp', ['-al', from, to]);
  const archive = join(to, 'resources/app.asar');
  const work = mkdtempSync(join(tmpdir(), 'countersign-archive-'));
  try {
    extractAll(archive, work);
    await change(work);
    // The archive is removed and not overwritten, because the original folder has the same hard link.
    rmSync(archive);
    rmSync(`${archive}.unpacked`, { recursive: true });
    await createPackageWithOptions(work, archive, { unpack: '**/*.node' });
    // Electron's cache still has the header of the previous archive.
    uncache(archive);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function bindingOfTests(): TestBinding {
  const runtime = findTestElectron();
  const binding = runtime && findTestBinding(runtime);
  if (binding === null)
    throw new Error('better-sqlite3 does not load in this Electron. Run `npm test`, which says why.');
  return binding;
}

/** Puts the binding at the path at which better-sqlite3 looks for a compiled binding, and removes the prebuilt bindings. */
function putBinding({ file }: TestBinding, app: string): void {
  const folder = join(app, 'node_modules/better-sqlite3');
  rmSync(join(folder, 'prebuilds'), { recursive: true });
  mkdirSync(join(folder, 'build/Release'), { recursive: true });
  cpSync(file, join(folder, 'build/Release/better_sqlite3.node'));
}

function changeManifest(app: string, changes: Record<string, string>): void {
  const file = join(app, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ [testMark]: 'tests', ...manifest, ...changes }, null, 2));
}

/** The path of the driver's entry in the app. */
export const drivenEntry = 'out/main/driven.cjs';

/** Builds the entry for a driver into a folder `out/main`. */
export async function buildDrivenEntry(outDir: string): Promise<void> {
  const config = mainConfig(fileURLToPath(new URL('./driven-main.ts', import.meta.url)));
  const output = { ...config.build.rolldownOptions.output, entryFileNames: basename(drivenEntry) };
  const rolldownOptions = { ...config.build.rolldownOptions, output };
  await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, sourcemap: false, outDir, rolldownOptions },
  });
}
