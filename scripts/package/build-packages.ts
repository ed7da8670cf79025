import { build } from 'electron-builder';

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
