import { build, type Configuration } from 'electron-builder';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ElectronRuntime } from '../lib/find-electron.ts';
import { projectRoot } from '../lib/run-tool.ts';
import { testMark } from './test-mark.ts';

const endings = ['beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message'] as const;

/** Runs electron-builder like its own `build`, but keeps this process's exit code. */
export function buildPackages(...options: Parameters<typeof build>): ReturnType<typeof build> {
  return keepExitCode(() => build(...options));
}

/**
 * Removes exit listeners that `run` added. With its first temporary file, electron-builder (through async-exit-hook) adds
 * listeners that end the process with 0 whatever `process.exitCode` is, so every later failure would pass. The listener of `exit`
 * that removes the temporary files is kept.
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
 * Changes a configuration so that it packs a local runtime, copied into `folder`, instead of downloading one. The packages are
 * marked as made for tests unless the runtime is the Electron for which the app is built.
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

/** Excludes two files, because electron-builder removes them from a runtime that it downloads. */
const isOfRuntime = (path: string): boolean => !['default_app.asar', 'version'].includes(basename(path));
