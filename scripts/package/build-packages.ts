import { build, type Configuration } from 'electron-builder';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ElectronRuntime } from '../lib/find-electron.ts';
import { projectRoot } from '../lib/run-tool.ts';
import { testMark } from './test-mark.ts';

const endings = ['beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message'] as const;

/** Runs electron-builder as its own `build` does; the exit code of this process stays ours. */
export function buildPackages(...options: Parameters<typeof build>): ReturnType<typeof build> {
  return keepExitCode(() => build(...options));
}

/**
 * Removes listeners of endings that `run` has added. With its first temporary file electron-builder adds some (by way of
 * async-exit-hook) that end the process with 0 whatever `process.exitCode` says: every later failure would pass. What removes
 * the temporary files listens to `exit` as well, and stays.
 */
export async function keepExitCode<Result>(run: () => Promise<Result>): Promise<Result> {
  const known = new Map(endings.map((event) => [event, new Set(process.listeners(event as 'beforeExit'))]));
  try {
    return await run();
  } finally {
    for (const [event, listeners] of known) {
      for (const added of process.listeners(event as 'beforeExit')) {
        if (!listeners.has(added)) process.off(event, added);
      }
    }
  }
}

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
