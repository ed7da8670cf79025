import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './run-tool.ts';

export interface ElectronRuntime {
  folder: string;
  executable: string;
  version: string;
}

export const electronPackage = join(projectRoot, 'node_modules/electron');

export const testRuntimeVersion = '33.4.11';

const programs: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * Finds the runtime that `$ELECTRON_OVERRIDE_DIST_PATH` names, or else the runtime that Electron's installer left in
 * node_modules. Null if there is none; downloads nothing.
 */
export function findElectron(
  env: NodeJS.ProcessEnv = process.env,
  installedIn: string = electronPackage,
): ElectronRuntime | null {
  const named = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (named !== undefined) return electronIn(named);
  // The installer writes this file last, so its presence means that the runtime is complete.
  if (!existsSync(join(installedIn, 'path.txt'))) return null;
  return electronIn(join(installedIn, 'dist'));
}

export function findTestElectron(env: NodeJS.ProcessEnv = process.env): ElectronRuntime | null {
  const found = findElectron(env);
  if (found !== null || env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined) return found;
  return electronIn(testRuntimeFolder(env));
}

/**
 * The folder of the runtime for tests. It is outside the project, so that a new checkout finds it: `$ELECTRON_RUNTIME_DIR`; for
 * root a folder that every user can read; else the user's cache.
 */
export function testRuntimeFolder(
  env: NodeJS.ProcessEnv = process.env,
  isRoot: boolean = process.getuid?.() === 0,
): string {
  const named = env['ELECTRON_RUNTIME_DIR'];
  if (named !== undefined) return named;
  const cache = isRoot ? '/opt' : (env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'));
  return join(cache, 'electron-test-runtime', testRuntimeVersion);
}

export function electronIn(folder: string): ElectronRuntime | null {
  const executable = join(folder, programs[process.platform] ?? 'electron');
  const versionFile = join(folder, 'version');
  if (!existsSync(executable) || !existsSync(versionFile)) return null;
  return { folder, executable, version: readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') };
}
