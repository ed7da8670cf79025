import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** How a program ended, and what it printed. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a JavaScript program of a package with this test's Node and nothing of this test's environment; it does not outlive its test. */
export async function runProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}
