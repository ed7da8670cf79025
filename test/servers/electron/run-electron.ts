import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endTree, inOwnTree } from '../../../scripts/lib/processes.ts';

/** The result of a run without a driver. */
export interface ElectronRun {
  /** Lines of standard output. */
  lines: string[];
  /** Lines of standard error. Chromium writes warnings to it, so tests cannot expect it to be empty. */
  complaints: string[];
  /** Null after a signal, also if the run exceeded its time. */
  exitCode: number | null;
  /** True if the run was killed because it exceeded its time. */
  tookTooLong: boolean;
}

interface RunOptions {
  args: string[];
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  onStart(pid: number): void;
}

/** Runs a program to its end. If it exceeds its time, it is killed with all processes that it has started. */
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
