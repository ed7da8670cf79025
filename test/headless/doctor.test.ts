import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { doctor, type DoctorOptions } from '#headless/cli/commands/doctor.ts';
import type { Console } from '#headless/cli/console.ts';
import { takeCredential } from '#headless/cli/service-arguments.ts';
import { createStyle } from '#headless/terminal/style.ts';
import { doctorReportSchema } from '#shared/app-api/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { has } from '#test/servers/abilities.ts';
import { startBrokenService } from '#test/servers/broken-service.ts';
import { answerRequest } from '#test/servers/person.ts';
import { countersign } from './process.ts';

let service: RunningBackend;
let url: string;
let secrets: { COUNTERSIGN_MEMBER_TOKEN: string; COUNTERSIGN_PUBLISHER_KEY: string };
beforeAll(async () => {
  service = await startBackend({ tenant: 'meridian', campaigns: 10, days: 3 });
  url = `http://127.0.0.1:${service.port}`;
  const [key] = service.credentials.accounts.buyer.publisherKeys;
  secrets = {
    COUNTERSIGN_MEMBER_TOKEN: service.credentials.memberToken,
    COUNTERSIGN_PUBLISHER_KEY: key?.key ?? '',
  };
});
afterAll(() => service.dispose());

/** Keeps a sign-in from opening a browser in a test. This works on Linux only, because a browser needs a display there. */
const noDesktop = { DISPLAY: '', WAYLAND_DISPLAY: '' };

function addressIn(text: string): string {
  return /^http\S+\/authorize\?\S+$/m.exec(text)?.[0] ?? '';
}

describe('countersign doctor', () => {
  test.runIf(has.linux)(
    'prints one line for each step with every credential, and exits with 0 if nothing failed',
    async () => {
      const running = countersign(['doctor', url, '--sign-in'], { ...secrets, ...noDesktop });
      const printed = await running.until('no display here');
      const address = addressIn(printed);
      const { accounts, password } = service.credentials;
      await fetch(await answerRequest(address, { login: accounts.buyer.login, password }));
      expect(await running.ended).toBe(0);

      const steps = running
        .text()
        .split('\n')
        .filter((line) => /^[✓!✗–] /.test(line));
      expect(steps.map((line) => line.slice(0, 9).trim())).toEqual(Array.from({ length: 11 }, () => '✓ ok'));
      expect(running.text()).toContain('11 ok.');
      for (const secret of Object.values(secrets)) expect(running.text()).not.toContain(secret);
      const revocations = service.backend.requestLog().filter(({ path }) => path === '/revoke');
      expect(revocations.length).toBeGreaterThan(0);
    },
  );

  test('without credentials says how to give each, and exits with 0', async () => {
    const { code, text } = await doctorHere(`${url}/`);
    expect(code).toBe(0);
    for (const words of ['--sign-in', 'COUNTERSIGN_MEMBER_TOKEN', 'COUNTERSIGN_PUBLISHER_KEY']) {
      expect(text).toMatch(new RegExp(`do +.*${words}`));
    }
  });

  test('explains a failure with its meaning and a remedy, and exits with 1', async () => {
    const { code, text } = await doctorHere(`http://127.0.0.1:${await freePort()}`);
    expect(code).toBe(1);
    expect(text).toMatch(/^✗ failed {3}Alive .*the connection was refused/m);
    expect(text).toMatch(/^ +means {2}Nothing listens at “http/m);
    expect(text).toMatch(/^ +do {5}Check the host/m);
  });

  test('exits with 4 for a working service that differs from the contract', async () => {
    const { addresses } = await startBrokenService(service.port, {
      change(answer, { path }) {
        if (path === '/mcp') delete answer.headers['www-authenticate'];
      },
    });
    const { code, text } = await doctorHere(addresses.mcpUrl, {}, secrets);
    expect(text).toMatch(/^ +drift {2}§5\.3, RFC 9728 §5\.1 · The 401 .*WWW-Authenticate/m);
    // A mark of an invisible character would mean that our own words contain one.
    expect(text).not.toContain('⟨U+');
    expect(code).toBe(4);
  });

  test('reads the statistics of the source given with --tid', async () => {
    const [key] = service.credentials.accounts.publisher.publisherKeys;
    const env = { COUNTERSIGN_PUBLISHER_KEY: key?.key ?? '' };
    const { text } = await doctorHere(url, { tid: key?.tids[0] ?? 0 }, env);
    expect(text).toContain(`/xml/stats of TID ${key?.tids[0]}: `);
    expect((await doctorHere(url, {}, env)).text).toContain(
      'no TID is known for /xml/stats (--tid names one)',
    );
  });

  test('does not fail if its reader stops, for example a pager or `head`', async () => {
    const running = countersign(['doctor', url], noDesktop);
    running.child.stdout?.destroy();
    expect(await running.ended).toBe(0);
    expect(running.text()).toBe('');
  });

  test('with --json prints only the report', async () => {
    const { code, answer } = await doctorHere(url, { json: true }, secrets);
    expect(code).toBe(0);
    const report = doctorReportSchema.parse(JSON.parse(answer));
    expect(report.steps.filter(({ state }) => state === 'ok').map(({ id }) => id)).toContain(
      'publisher-reports',
    );
    expect(report.text).toContain('✓ ok       Member campaigns');
    for (const secret of Object.values(secrets)) expect(answer).not.toContain(secret);
  });

  test.runIf(has.linux)('ends an unfinished sign-in on Ctrl-C with the findings so far', async () => {
    const running = countersign(['doctor', url, '--sign-in'], noDesktop);
    const address = addressIn(await running.until('code_challenge'));
    const callback = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    running.child.kill('SIGINT');
    expect(await running.ended).toBe(130);
    expect(running.text()).toMatch(/^– skipped {2}Sign-in +The examination was stopped\./m);
    await expect(fetch(callback)).rejects.toThrow();
  });

  test.each<[string, string, DoctorOptions, Record<string, string>, string]>([
    ['no address at all', 'nonsense', {}, {}, 'error: <url>: '],
    ['/mcp at its end', 'https://mcp.example.com/mcp', {}, {}, 'error: <url>: Leave /mcp away'],
    ['http to elsewhere', 'http://mcp.example.com', {}, {}, 'error: <url>: Use https'],
    ['campaigns elsewhere', 'https://a.example', { baseUrl: 'https://a.example' }, {}, 'error: --base-url: '],
    ['reports elsewhere', 'https://a.example', { apiUrl: 'ftp://x' }, {}, 'error: --api-url: '],
    ['two words as a token', 'https://a.example', {}, { COUNTERSIGN_MEMBER_TOKEN: 'a b' }, 'one word'],
  ])('refuses %s as a usage error without sending a request', async (_name, address, options, env, words) => {
    const { code, text } = await doctorHere(address, options, env);
    expect({ code, says: text.includes(words) }).toEqual({ code: 2, says: true });
    expect(text).not.toMatch(/[✓✗]/);
  });
});

describe('a credential from the environment', () => {
  test.each([
    ['is taken as it is', 'abc', { kind: 'given', value: 'abc' }],
    ['loses its spaces', ' abc\n', { kind: 'given', value: 'abc' }],
    ['loses the word Bearer', 'Bearer abc', { kind: 'given', value: 'abc' }],
    ['is missing if it is empty', ' ', { kind: 'missing' }],
    ['is refused if a header cannot contain it', 'a\u00e9', { kind: 'refused' }],
  ])('%s', (_name, value, expected) => {
    const env = { HUSH: value };
    expect(takeCredential('HUSH', env)).toEqual(expected);
    // A browser that is started from here inherits the environment, so the secret must be gone.
    expect(env).toEqual({});
  });
});

/** Runs the command in this process, with a console that records its output. */
async function doctorHere(
  address: string,
  options: DoctorOptions = {},
  env: Record<string, string> = {},
): Promise<{ code: number; text: string; answer: string }> {
  const said: string[] = [];
  const answered: string[] = [];
  const out = (line = ''): void => {
    said.push(line);
    answered.push(line);
  };
  const console: Console = {
    input: process.stdin,
    interactive: false,
    toTerminal: false,
    style: createStyle(false),
    out,
    print: out,
    err: (line) => void said.push(line),
  };
  Object.assign(process.env, env);
  const code = await doctor(address, options, console);
  return { code, text: said.join('\n'), answer: answered.join('\n') };
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as AddressInfo;
      listener.close(() => resolve(port));
    });
  });
}
