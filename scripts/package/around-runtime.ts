import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Configuration } from 'electron-builder';
import type { ElectronRuntime } from '../lib/find-electron.ts';
import { projectRoot } from '../lib/run-tool.ts';
import { testMark } from './test-mark.ts';

/**
 * Changes a configuration so that it packs a runtime that is at hand, copied into `folder`, and downloads none. What it makes
 * is marked as made for tests unless the runtime is the Electron that the app is built for.
 */
export function aroundRuntime(
  config: Configuration,
  runtime: ElectronRuntime,
  folder: string,
): Configuration {
  cpSync(runtime.folder, folder, { recursive: true, filter: isOfRuntime });
  const mark = runtime.version === releaseElectron() ? {} : { [testMark]: `Electron ${runtime.version}` };
  return {
    ...config,
    electronDist: folder,
    electronVersion: runtime.version,
    extraMetadata: mark,
  };
}

export function releaseElectron(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    devDependencies: { electron: string };
  };
  return manifest.devDependencies.electron;
}

/** electron-builder takes these two out of a runtime that it has downloaded itself. */
const isOfRuntime = (path: string): boolean => !['default_app.asar', 'version'].includes(basename(path));
