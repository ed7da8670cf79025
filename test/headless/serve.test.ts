import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { countersign, run } from './process.ts';
import type { Running } from './process.ts';
import { exitCodeAfter, has } from '#test/servers/abilities.ts';
import { expectMode } from '#test/servers/file-mode.ts';

async function paste(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  return stdout;
}

function startServe(args: readonly string[] = [], env: Record<string, string> = {}): Running {
  return countersign(['serve', '--campaigns', '30', '--days', '30', ...args], env);
}

async function end(serve: Running): Promise<number | null> {
  serve.child.kill('SIGTERM');
  return serve.ended;
}

/** Checks of the answers to the printed commands, by a part of the command's address. */
const answers: readonly [part: string, expected: (answer: string) => void][] = [
  [
    '/login/campaigns/campaigns?',
    (answer) => expect(JSON.parse(answer)).toMatchObject({ status: 'success', data: { total: 30 } }),
  ],
  ['/xml/stats?', (answer) => expect(rowsOf(answer)).toHaveLength(7)],
  ['/publisher/search-report?', (answer) => expect(rowsOf(answer).length).toBeGreaterThan(7)],
  ['/mcp', (answer) => expect(answer).toContain('"serverInfo"')],
  ['/token', (answer) => expect(JSON.parse(answer)).toMatchObject({ token_type: 'Bearer', expires_in: 600 })],
];

function rowsOf(answer: string): unknown[] {
  const { status, data } = JSON.parse(answer) as { status: string; data: unknown[] };
  expect(status).toBe('success');
  return data;
}

function commandsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trimStart().startsWith('curl '));
}

describe('countersign serve', () => {
  test.runIf(has.shell)(
    'prints commands that work unchanged, keeps its files private, and exits with 143 on SIGTERM',
    async () => {
      const dataFolder = temporaryFolder();
      const serve = startServe(['--data', dataFolder]);
      const text = await serve.until('Ctrl-C ends it.');
      const commands = commandsIn(text);
      const seen = new Set<string>();
      for (const command of commands) {
        const [part, check] = answers.find(([address]) => command.includes(address)) ?? [];
        expect(part, command).toBeDefined();
        check?.(await paste(command));
        seen.add(part ?? '');
      }
      expect([...seen].toSorted()).toEqual(answers.map(([part]) => part).toSorted());
      // One command per credential: the member token, four publisher keys with one or two scopes, and the access and
      // refresh tokens.
      expect(commands).toHaveLength(9);

      expect(await end(serve)).toBe(exitCodeAfter('SIGTERM'));
      expectMode(join(dataFolder, 'serve', 'northwind'), 0o700);
      for (const file of ['backend.sqlite', 'lock.sqlite', 'logs/countersign.log']) {
        expectMode(join(dataFolder, 'serve', 'northwind', file), 0o600);
      }
      const log = readFileSync(join(dataFolder, 'serve', 'northwind', 'logs', 'countersign.log'), 'utf8');
      const secrets = text.match(/eyJ[\w.-]+|pk_[\w-]+|(?<=the password )\S+|(?<=token {2,})\S+/g) ?? [];
      expect(new Set(secrets).size).toBe(8);
      for (const secret of secrets) expect(log).not.toContain(secret);
    },
  );

  test('prints addresses that answer without credentials', async () => {
    const serve = startServe(['--data', temporaryFolder(), '--tenant', 'meridian']);
    const text = await serve.until('Ctrl-C ends it.');
    expect(text).toContain('tenant meridian');
    const documents = ['protected resource', 'authorization server', 'health', 'ready'];
    for (const name of documents) {
      const url = new RegExp(`^ {2}${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
      expect([name, (await fetch(url)).status]).toEqual([name, 200]);
    }
    expect(await end(serve)).toBe(exitCodeAfter('SIGTERM'));
  });

  test.runIf(has.shell)(
    'with --print-credentials json prints one document with working credentials',
    async () => {
      const serve = startServe(['--data-folder', temporaryFolder(), '--print-credentials', 'json']);
      await serve.until('}\n');
      const lines = serve.answer().split('\n');
      expect(lines).toHaveLength(2);
      const served = JSON.parse(lines[0] ?? '') as {
        tenant: string;
        addresses: Record<string, string>;
        password: string;
        accounts: { part: string; login: string; member_token: string; publisher_keys: { key: string }[] }[];
        mcp_access: Record<string, string>;
        allow_direct_jwt: boolean;
        examples: { name: string; command: string }[];
      };
      expect(Object.keys(served).toSorted()).toEqual(
        [
          'accounts',
          'addresses',
          'allow_direct_jwt',
          'examples',
          'mcp_access',
          'password',
          'tenant',
        ].toSorted(),
      );
      expect(served.accounts.map(({ part }) => part)).toEqual([
        'buyer',
        'neighbour',
        'withoutBalance',
        'withoutMenu',
        'publisher',
      ]);
      for (const { member_token: token, part } of served.accounts) {
        const answer = await fetch(`${served.addresses['base_url']}/login/campaigns/campaigns`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect([part, answer.status]).toEqual([part, part === 'publisher' ? 403 : 200]);
      }
      for (const { command } of served.examples) {
        const [, check] = answers.find(([address]) => command.includes(address)) ?? [];
        check?.(await paste(command));
      }
      expect(served.allow_direct_jwt).toBe(false);
      expect(await end(serve)).toBe(exitCodeAfter('SIGTERM'));
      expect(serve.answer().split('\n')).toHaveLength(2);
    },
  );

  test.runIf(has.shell)(
    'accepts member tokens at the remote tools only if the environment says so',
    async () => {
      for (const [env, status] of [
        [{ ALLOW_DIRECT_JWT: 'yes' }, 401],
        [{ ALLOW_DIRECT_JWT: 'true' }, 200],
      ] as const) {
        const serve = startServe(['--data', temporaryFolder()], env);
        const text = await serve.until('Ctrl-C ends it.');
        expect(text.includes('Direct JWT is on')).toBe(status === 200);
        const token = /eyJ[\w.-]+/.exec(text)?.[0] ?? '';
        const initialize = commandsIn(text).find((line) => line.includes('/mcp')) ?? '';
        const asMember = initialize.replace(/Bearer [\w.-]+/, `Bearer ${token}`);
        expect(await paste(`${asMember} -o /dev/null -w '%{http_code}'`)).toBe(String(status));
        await end(serve);
      }
    },
  );

  test.runIf(has.shell)(
    'keeps a client of the remote tools signed in over a restart on the same port',
    async () => {
      const dataFolder = temporaryFolder();
      const first = startServe(['--data', dataFolder]);
      const text = await first.until('Ctrl-C ends it.');
      await end(first);
      const port = /:(\d+)\/mcp/.exec(text)?.[1] ?? '';
      const second = startServe(['--data', dataFolder, '--port', port]);
      await second.until('Ctrl-C ends it.');
      for (const part of ["/mcp'", "/token'"]) {
        const command = commandsIn(text).find((line) => line.includes(part)) ?? '';
        expect(await paste(`${command} -o /dev/null -w '%{http_code}'`)).toBe('200');
      }
      await end(second);
    },
  );

  test('reports a port in use', async () => {
    const first = startServe(['--data', temporaryFolder()]);
    const port = /:(\d+)\/api/.exec(await first.until('Ctrl-C'))?.[1] ?? '';
    const second = await run(['serve', '--campaigns', '5', '--port', port, '--data', temporaryFolder()]);
    expect(second).toMatchObject({ code: 1, text: expect.stringContaining('listens on this port already') });
    expect(second.text).toContain('choose another port');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(exitCodeAfter('SIGINT'));
  });

  test('uses its own folder, and another tenant uses another', async () => {
    const dataFolder = temporaryFolder();
    const first = startServe(['--data', dataFolder]);
    await first.until('Ctrl-C');
    const second = await run(['serve', '--data', dataFolder]);
    expect(second.code).toBe(1);
    expect(second.text).toContain(`the “serve” host, process ${first.child.pid}`);
    const other = startServe(['--data', dataFolder, '--tenant', 'meridian']);
    await other.until('Ctrl-C');
    expect(await end(first)).toBe(exitCodeAfter('SIGTERM'));
    expect(await end(other)).toBe(exitCodeAfter('SIGTERM'));
  });
});
