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

/** Unpacked folders of the packaged app, each with the program `countersign`, readable by everybody. */
export interface PackagedApp {
  /** As it would ship; only the binding of better-sqlite3 is another where the runtime for tests needs one. */
  shipped: string;
  /** The same with an entry behind which a driver can look in (driven-main.ts): for `ElectronBed.launch`. */
  driven: string;
  remove(): void;
}

/** Packs the built app around the runtime for tests so that its core runs inside. Fails where no binding loads there. */
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

/** The path of the program in an unpacked folder. */
export const programIn = (folder: string): string => packagedProgram(folder);

/**
 * Copies an unpacked folder of the packaged app for tests: with a binding that loads in its runtime and, if wanted, with the
 * entry for a driver. The copy is marked as made for tests. Fails where no binding loads.
 */
async function copyForTests(from: string, to: string, { isDriven }: { isDriven: boolean }): Promise<void> {
  const binding = bindingOfTests();
  await copyWithApp(from, to, async (app) => {
    if (!binding.isReleased) putBinding(binding, app);
    if (isDriven) await buildDrivenEntry(join(app, 'out/main'));
    changeManifest(app, isDriven ? { main: drivenEntry } : {});
  });
}

/** Copies an unpacked folder as that of another version. */
export async function copyAsVersion(from: string, to: string, version: string): Promise<void> {
  await copyWithApp(from, to, (app) => Promise.resolve(changeManifest(app, { version })));
}

/** The beginning of the address of the page of a blank app. */
export const blankAddress = 'data:text/html';

/** One window with one word, and nothing of ours. */
const blankMain = `
  const { app, BrowserWindow } = require('electron');
  app.enableSandbox();
  void app.whenReady().then(() => new BrowserWindow().loadURL('${blankAddress},<title>Blank</title>Blank'));
`;

/** Copies an unpacked folder with an app in it that does nothing, to compare with. */
export async function copyBlank(from: string, to: string): Promise<void> {
  await copyWithApp(from, to, async (app) => {
    for (const name of readdirSync(app)) rmSync(join(app, name), { recursive: true });
    const manifest = { name: 'blank', version: '0.0.0', main: 'main.cjs' };
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(app, 'main.cjs'), blankMain);
  });
  // Ours list what is in our app.
  const notices = join(to, 'THIRD-PARTY-NOTICES.txt');
  rmSync(notices);
  writeFileSync(notices, '');
}

/** Copies an unpacked folder and lets its app be changed, which lies as a folder of files for that time. */
async function copyWithApp(from: string, to: string, change: (app: string) => Promise<void>): Promise<void> {
  // Links to the same files: the runtime is large.
  execFileSync('cp', ['-al', from, to]);
  const archive = join(to, 'resources/app.asar');
  const work = mkdtempSync(join(tmpdir(), 'countersign-archive-'));
  try {
    extractAll(archive, work);
    await change(work);
    // Not written over: the other folder has the same files.
    rmSync(archive);
    rmSync(`${archive}.unpacked`, { recursive: true });
    await createPackageWithOptions(work, archive, { unpack: '**/*.node' });
    // Electron's cache still has the header of the former archive.
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

/** Puts the binding where better-sqlite3 looks for one that was compiled here, in place of those that it brings. */
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

/** The entry with an endpoint for a driver, as a path in the app. */
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
