import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endTree, inOwnTree } from '../../../scripts/lib/processes.ts';

/** How a run without a driver went. */
export interface ElectronRun {
  /** Lines of standard output. */
  lines: string[];
  /** Lines of standard error: Chromium complains there, so an empty one is not to be expected. */
  complaints: string[];
  /** Null after a signal, which is also how a run ends that took too long. */
  exitCode: number | null;
  /** The run was ended because its time was up. */
  tookTooLong: boolean;
}

interface RunOptions {
  args: string[];
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Told as soon as there is one. */
  onStart(pid: number): void;
}

/** Runs a program to its end, or ends it and all that it has started when the time is up. */
export async function runElectron(file: string, options: RunOptions): Promise<ElectronRun> {
  const child = spawn(file, options.args, {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...inOwnTree(),
  });
  const { pid } = child;
  if (pid !== undefined) options.onStart(pid);
  const lines: string[] = [];
  const complaints: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line));
  let tookTooLong = false;
  const timer = setTimeout(() => {
    tookTooLong = true;
    if (pid !== undefined) endTree(pid);
  }, options.timeoutMs);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode) => resolve({ lines, complaints, exitCode, tookTooLong }));
    });
  } finally {
    clearTimeout(timer);
  }
}
