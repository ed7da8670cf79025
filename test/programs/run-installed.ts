import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';

const closedPort = 'http://127.0.0.1:1';

/** The programs are not Node, so `loopbackOnly` has no effect on them. Their requests beyond this machine go to a closed port. */
const withoutNetwork = {
  HTTP_PROXY: closedPort,
  HTTPS_PROXY: closedPort,
  NO_PROXY: '127.0.0.1,localhost',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

/**
 * Runs a program that `npm run clients` has installed, in the home folder of `env`, and returns its output and errors. Fails if
 * the program is missing or its exit code is not 0. The program and its child processes are killed when the test ends.
 */
export async function runInstalled(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(program, args, {
    env: { ...env, ...withoutNetwork },
    cwd: env['HOME'],
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => killGroup(child.pid));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const secret = env['AGENT_TOKEN'];
  expect(code, secret === undefined ? output : output.replaceAll(secret, '(token)')).toBe(0);
  return output;
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
