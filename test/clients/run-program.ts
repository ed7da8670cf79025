import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The exit code of a program and its output. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a package's JavaScript program with this test's Node and without this test's environment. The program is killed when
 * its test ends. `onLine` gets each line of output as it arrives.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { env, onLine }: { env: Record<string, string>; onLine?: (line: string) => void },
): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    onLine?.(line);
  });
  const [[code], stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stderr),
  ]);
  return { code, stdout: lines.join('\n'), stderr };
}
