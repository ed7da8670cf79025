import { closeSync, copyFileSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBackend } from '#core/backend/index.ts';
import type { Backend, DemoCredentials } from '#core/backend/index.ts';
import type { IssuedGrant } from '#core/oauth-server/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import { startChild } from '#test/servers/child.ts';
import { has } from '#test/servers/abilities.ts';
import { requireTool } from '#test/servers/require-tool.ts';

interface Opened {
  backend: Backend;
  origin: string;
  credentials: DemoCredentials;
  grant: IssuedGrant;
}

async function open(file: string): Promise<Opened> {
  const backend = createBackend({
    tenant: 'northwind',
    file,
    campaigns: 60,
    days: 5,
    consent: { kind: 'page' },
    clock: systemClock,
    ids: createIds(() => systemClock.nowMs()),
    logger: silentLogger,
  });
  const { apiUrl: origin } = await backend.listen();
  const credentials = backend.issueDemoCredentials();
  const grant = await backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read', 'svc:write'] });
  return { backend, origin, credentials, grant };
}

async function databaseFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-broken-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'backend.sqlite');
}

type Request = [what: string, path: string, init: RequestInit];

function requests({ credentials, grant, origin }: Opened): Request[] {
  const member = { authorization: `Bearer ${credentials.memberToken}` };
  const remote = {
    authorization: `Bearer ${grant.accessToken}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const [{ key, tids: [tid] } = { key: '', tids: [0] }] = credentials.publisherKeys;
  const days = 'date_from=2026-01-01&date_to=2026-01-02';
  const campaigns = '/api/v1/login/campaigns';
  const form = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  const resource = `${origin}/mcp`;
  return [
    ['list', `${campaigns}/campaigns?query=push`, { headers: member }],
    ['campaign', `${campaigns}/104201`, { headers: member }],
    [
      'status',
      `${campaigns}/update-status`,
      {
        method: 'PUT',
        headers: { ...member, 'content-type': 'application/json' },
        body: JSON.stringify({ ids: [104_201], status: 3 }),
      },
    ],
    ['xml', `/xml/stats?token=${key}&tid=${tid}&${days}`, {}],
    ['search', `/publisher/search-report?token=${key}&${days}`, {}],
    [
      'initialize',
      '/mcp',
      {
        method: 'POST',
        headers: remote,
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          },
        }),
      },
    ],
    [
      'refresh',
      '/token',
      form({
        grant_type: 'refresh_token',
        client_id: grant.clientId,
        refresh_token: grant.refreshToken,
        resource,
      }),
    ],
    [
      'register',
      '/register',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Test',
          redirect_uris: ['http://127.0.0.1/callback'],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        }),
      },
    ],
    ['revoke', '/revoke', form({ token: grant.refreshToken, client_id: grant.clientId })],
  ];
}

async function ask({ origin }: Opened, [what, path, init]: Request): Promise<[string, number]> {
  const answer = await fetch(`${origin}${path}`, { ...init, redirect: 'manual' });
  const text = await answer.text();
  // The answer must not reveal the cause: no driver, path or message of the database.
  expect([what, /sqlite|database|storage_|\.ts|\/tmp/i.exec(text)?.[0]]).toEqual([what, undefined]);
  return [what, answer.status];
}

async function askAll(opened: Opened): Promise<[string, number][]> {
  const answers: [string, number][] = [];
  for (const request of requests(opened)) answers.push(await ask(opened, request));
  return answers;
}

async function expectAlive({ origin }: Opened): Promise<void> {
  const health = await fetch(`${origin}/health`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
}

test('a healthy service answers every request that the other tests use', async () => {
  const opened = await open(await databaseFile());
  onTestFinished(() => opened.backend.dispose());
  for (const [what, status] of await askAll(opened)) {
    expect([what, status]).toEqual([what, what === 'register' ? 201 : 200]);
  }
});

test.each([
  ['moved away', (_file: string): void => {}],
  ['replaced by another', (file: string): void => copyFileSync(`${file}.away`, file)],
])(
  'with a database that was %s the service runs, is not ready, and acknowledges nothing',
  async (_how, then) => {
    const file = await databaseFile();
    const opened = await open(file);
    onTestFinished(() => opened.backend.dispose());
    expect((await fetch(`${opened.origin}/ready`)).status).toBe(200);
    renameSync(file, `${file}.away`);
    then(file);
    // Readers of the database retry ten times a second.
    await expect
      .poll(async () => (await ask(opened, ['', '/api/v1/login/campaigns/campaigns', memberOf(opened)]))[1])
      .toBe(503);
    for (const answer of await askAll(opened)) expect(answer).toEqual([answer[0], 503]);
    await expectAlive(opened);
    await expect
      .poll(async () => (await fetch(`${opened.origin}/ready`)).json())
      .toEqual({
        status: 'not_ready',
        checks: { oauth_storage: 'failed', durable_storage: 'failed' },
      });

    // The service recovers when the file is back.
    renameSync(`${file}.away`, file);
    expect((await askAll(opened)).map(([, status]) => status)).not.toContain(503);
    await expect.poll(async () => (await fetch(`${opened.origin}/ready`)).status).toBe(200);
  },
);

const memberOf = ({ credentials }: Opened): RequestInit => ({
  headers: { authorization: `Bearer ${credentials.memberToken}` },
});

test('with a database whose pages were overwritten the service keeps running and reveals nothing', async () => {
  const file = await databaseFile();
  await (await open(file)).backend.dispose();
  const opened = await open(file);
  onTestFinished(() => opened.backend.dispose());
  const descriptor = openSync(file, 'r+');
  const noise = Buffer.alloc(4_096, 0xa5);
  for (let at = 4_096; at < statSync(file).size; at += noise.length)
    writeSync(descriptor, noise, 0, noise.length, at);
  closeSync(descriptor);

  const answers = await askAll(opened);
  for (const [what, status] of answers) {
    expect([what, [200, 201, 401, 404, 503].includes(status)]).toEqual([what, true]);
  }
  expect(answers.filter(([, status]) => status === 503).length).toBeGreaterThan(3);
  await expectAlive(opened);
  expect(existsSync(file)).toBe(true);
});

test.runIf(has.linux)(
  'with a full disk the service is not ready and acknowledges no write that it does not store, and recovers when there is space',
  async () => {
    const mounted = await mkdtemp(join(tmpdir(), 'countersign-full-'));
    onTestFinished(() => rm(mounted, { recursive: true, force: true }));
    const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    // The small disk is mounted in a namespace of the child process, so it is unmounted when the child ends.
    const script = `mount -t tmpfs -o size=2m,mode=700 small "${mounted}" && exec "$@"`;
    const child = startChild(
      new URL('./on-full-disk.ts', import.meta.url),
      [mounted],
      [requireTool('unshare'), '--mount', ...user, 'sh', '-c', script, 'sh'],
    );
    const steps = (await child.rest()).map((line) => JSON.parse(line) as { step: string });
    expect(await child.ended).toBe(0);
    expect(steps).toEqual([
      { step: 'sound', health: 200, ready: 200, list: 200, refresh: 400 },
      { step: 'full', write: 503, health: 200, ready: 503, list: 200, refresh: 400 },
      { step: 'kept', isKept: true },
      { step: 'room', write: 200, health: 200, ready: 200, list: 200, refresh: 400 },
    ]);
  },
);

test('a database that is closed while the service runs fails like a storage failure in every part of the store', async () => {
  const file = await databaseFile();
  const store = openBackendStore({ file, clock: systemClock, logger: silentLogger });
  await store.dispose();
  const calls: readonly (() => unknown)[] = [
    () => store.read.member(1),
    () => store.read.tenant(),
    () => store.oauth.find('Grant', ''),
    () => store.publisherKeys.countDemo(),
    () => store.transaction(() => null),
    () => store.probe(),
  ];
  for (const call of calls) expect(call).toThrow(expect.objectContaining({ code: 'storage_failed' }));
});
