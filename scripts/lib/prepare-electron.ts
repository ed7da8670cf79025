import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { downloadElectron } from './download-electron.ts';
import { electronIn, findTestElectron, sharedTestRuntime, type ElectronRuntime } from './find-electron.ts';
import { canInstallPackages, installPackages } from './install-packages.ts';
import { projectRoot } from './run-tool.ts';

/** Brings a runtime for tests where Electron's own download cannot be reached; it prints the folder. */
const testRuntimeTool = join(projectRoot, '../shared/tools/electron-runtime/install');

/** What Electron is linked against, by its packages in Debian. */
const libraries = (
  'libgtk-3-0 libnss3 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libdrm2 libnotify4 libsecret-1-0 libxtst6 ' +
  'libxkbcommon0 libcups2'
).split(' ');

/** How long Electron's own download may take before the tests, in milliseconds. */
const downloadLimitMs = 300_000;

/**
 * Finds an Electron for the tests, or brings one, with the libraries that it needs; says plainly what it found or lacks.
 * Null where the tests cannot have one.
 */
export async function prepareElectron(say: (line: string) => void): Promise<ElectronRuntime | null> {
  const runtime = findTestElectron() ?? (await bringElectron(say));
  if (runtime === null) {
    say('  missing Electron, for the desktop tests');
    say('  An Electron in another place is named by ELECTRON_OVERRIDE_DIST_PATH=/path/to/its/folder.');
    return null;
  }
  if ((await missingLibraries(runtime)).length > 0 && canInstallPackages()) {
    say(`  installing the libraries of Electron with apt-get`);
    await installPackages(libraries);
  }
  const missing = await missingLibraries(runtime);
  say(`  found ${runtime.executable} (Electron ${runtime.version}), for the desktop tests`);
  if (missing.length === 0) return runtime;
  say(`  missing ${missing.join(', ')}, which it needs`);
  say(`  Install what is missing, on Debian: sudo apt-get install ${libraries.join(' ')}`);
  return null;
}

async function bringElectron(say: (line: string) => void): Promise<ElectronRuntime | null> {
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined) return null;
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(testRuntimeTool)) {
    say('  installing an Electron for tests');
    return runTestRuntimeTool(say);
  }
  say('  downloading Electron');
  return downloadElectron(downloadLimitMs);
}

async function runTestRuntimeTool(say: (line: string) => void): Promise<ElectronRuntime | null> {
  // As root it goes where the user without rights that runs it can read it.
  const env =
    process.getuid?.() === 0 ? { ...process.env, ELECTRON_RUNTIME_DIR: sharedTestRuntime } : process.env;
  try {
    const { stdout } = await promisify(execFile)(testRuntimeTool, [], { env });
    return electronIn(stdout.trim().split('\n').at(-1) ?? '');
  } catch (error) {
    say(`  ${error instanceof Error ? error.message.trim() : String(error)}`);
    return null;
  }
}

/** Names of the libraries that the program would not find; on Linux only. */
async function missingLibraries({ executable }: ElectronRuntime): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const { stdout } = await promisify(execFile)('ldd', [executable]);
  return [...stdout.matchAll(/^\s*(\S+) => not found$/gm)].map((match) => match[1] ?? '');
}
