import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, expect, test, type TestContext } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { openGateway } from './gateway.ts';

/** Returns the path of the program. Skips the test with a reason if the program is not installed. */
function findOrSkip({ skip }: TestContext, name: string): string {
  const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).stdout.trim();
  if (found === '') skip(`${name} is not installed on this machine`);
  return found;
}

async function run(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], cwd: env['HOME'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, said).toBe(0);
  return said;
}

test.runIf(has.linux)(
  'Claude Code takes the gateway under the command that the app shows',
  async (context) => {
    const claude = findOrSkip(context, 'claude');
    const { url, browser } = await openGateway();
    await run(claude, ['mcp', 'add', '--transport', 'http', 'countersign', url], browser.env);
    expect(await run(claude, ['mcp', 'get', 'countersign'], browser.env)).toContain(url);
  },
);

test.runIf(has.linux)(
  'Codex takes the gateway under the command that the app shows, and is admitted by a person',
  async (context) => {
    const codex = findOrSkip(context, 'codex');
    const { url, browser, decided } = await openGateway();
    await run(codex, ['mcp', 'add', 'countersign', '--url', url], browser.env);
    expect(decided.map(({ operation, state }) => [operation, state])).toEqual([['agent.admit', 'verified']]);
    expect(await run(codex, ['mcp', 'list'], browser.env)).toContain(url);
  },
);
