import { afterEach, expect, test } from 'vitest';
import type { InteractionResult, InteractionStrategy } from '#core/oauth-server/index.ts';
import { createMemoryRows } from '#core/store/oauth-rows.ts';
import { AppError } from '#shared/errors/index.ts';
import { openServer } from './open-server.ts';
import type { RunningServer, ServerSettings } from './open-server.ts';
import { createTestClient, encode, redirectUri } from './test-client.ts';
import type { TestClient, Tokens } from './test-client.ts';

let running: RunningServer;
let client: TestClient;

async function open(settings: ServerSettings = {}): Promise<void> {
  running = await openServer(settings);
  client = createTestClient(running.origin);
}
afterEach(() => running.dispose());

function cookiesFor(answer: Response, path: string): string {
  return answer.headers
    .getSetCookie()
    .filter((cookie) => path.startsWith(/; path=([^;]*)/.exec(cookie)?.[1] ?? '/'))
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

const visit = (path: string, cookie: string, method = 'GET') =>
  fetch(`${running.origin}${path}`, { method, headers: { cookie }, redirect: 'manual' });

test('a sign-in page learns its client, its request and its expiry', async () => {
  await open();
  const clientId = await client.registered({ client_name: 'Ägent <b>' });
  const askedFrom = Math.floor(Date.now() / 1_000);
  await client.code(clientId, { scope: 'svc:read svc:upload' });
  const askedUntil = Math.floor(Date.now() / 1_000);
  await client.code(clientId, { scope: null });
  const [first, second] = running.asked;
  expect(first).toEqual({
    id: expect.stringMatching(/^[\w-]{43}$/),
    clientId,
    clientName: 'Ägent <b>',
    redirectUri,
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: ['svc:read', 'svc:upload'],
    resource: running.resource,
    expiresAtMs: expect.any(Number),
  });
  // The library counts whole seconds of wall-clock time.
  const lifeSeconds = 600;
  const expiresAt = (first?.expiresAtMs ?? 0) / 1_000 - lifeSeconds;
  expect([askedFrom <= expiresAt, expiresAt <= askedUntil]).toEqual([true, true]);
  expect(second?.scopes).toEqual(['svc:read']);
});

test.each(['login', 'consent', 'select_account', 'login consent'])(
  'the user is asked every time, even with prompt=%s',
  async (prompt) => {
    await open();
    const clientId = await client.registered();
    await client.code(clientId);
    await client.code(clientId, { prompt });
    expect(running.asked).toHaveLength(2);
  },
);

test('a client whose user denies gets no code', async () => {
  await open({ answer: () => ({ kind: 'denied' }) });
  const { answer } = await client.code(await client.registered());
  expect(Object.fromEntries(answer)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'a state',
    iss: running.origin,
  });
});

test.each([
  ['fewer scopes than requested', ['svc:read'], 'svc:read'],
  ['a scope that was not requested', ['svc:read', 'svc:upload'], 'svc:read'],
])('a user may grant %s, and only requested scopes count', async (_name, scopes, granted) => {
  await open({ answer: () => ({ kind: 'granted', subject: '7', scopes }) });
  const { tokens } = await client.signIn({ scope: 'svc:read svc:write' });
  expect(tokens.scope).toBe(granted);
  const grant = await running.server.authenticate(tokens.access_token);
  expect([...(grant?.scopes ?? [])].join(' ')).toBe(granted);
});

test('granting no scope counts as a denial', async () => {
  await open({ answer: () => ({ kind: 'granted', subject: '7', scopes: [] }) });
  const { answer } = await client.code(await client.registered());
  expect(answer.get('error')).toBe('access_denied');
});

test('an answer applies to its own request, and another account or other scopes make another grant', async () => {
  const answers: InteractionResult[] = [
    { kind: 'granted', subject: '7', scopes: ['svc:read', 'svc:write'] },
    { kind: 'granted', subject: '8', scopes: ['svc:read'] },
  ];
  await open({ answer: () => answers.shift() ?? { kind: 'denied' } });
  const clientId = await client.registered();
  const subjects: [string, string][] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const code = await client.code(clientId, { scope: 'svc:read svc:write' });
    const tokens = (await (await client.redeem(code)).json()) as Tokens;
    const grant = await running.server.authenticate(tokens.access_token);
    subjects.push([grant?.subject ?? '', tokens.scope]);
  }
  expect(subjects).toEqual([
    ['7', 'svc:read svc:write'],
    ['8', 'svc:read'],
  ]);
});

test('the cookies of a sign-in cannot be read by scripts or other sites, and have the port in their names', async () => {
  await open();
  const start = await client.authorize(await client.registered());
  const cookies = start.headers.getSetCookie();
  expect(cookies).toHaveLength(4);
  for (const cookie of cookies) {
    expect(cookie).toMatch(new RegExp(`^countersign-${running.port}-(interaction|resume)(\\.sig)?=`));
    expect(cookie).toMatch(/; path=\/(interaction|authorize)\/[\w-]{43};/);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
    expect(cookie).not.toMatch(/; secure/i);
  }
});

test('only the browser that began a sign-in can see, answer or finish it', async () => {
  await open();
  const clientId = await client.registered();
  const mine = await client.authorize(clientId);
  const other = await client.authorize(clientId);
  const path = mine.headers.get('location') ?? '';
  const otherPath = other.headers.get('location') ?? '';
  const resume = path.replace('/interaction', '/authorize');
  const strangers = [
    '',
    cookiesFor(other, otherPath),
    cookiesFor(mine, path).replace(/\.sig=(.)/, (_found, first) => `.sig=${first === 'A' ? 'B' : 'A'}`),
    cookiesFor(mine, path).replace(/; .*$/, ''),
    // The id is no proof without its signature.
    `countersign-${running.port}-interaction=${path.split('/')[2]}`,
  ];
  for (const cookie of strangers) {
    for (const method of ['GET', 'POST']) expect((await visit(path, cookie, method)).status).toBe(400);
  }
  expect(running.asked).toEqual([]);
  expect((await visit(path, cookiesFor(mine, path))).status).toBe(303);
  for (const cookie of ['', cookiesFor(other, otherPath.replace('/interaction', '/authorize'))]) {
    expect((await visit(resume, cookie)).status).toBe(400);
  }
  const done = await visit(resume, cookiesFor(mine, resume));
  expect(done.headers.get('location')).toContain(`${redirectUri}?code=`);
  expect(done.headers.getSetCookie().filter((set) => set.includes('session'))).toEqual([]);
  // The address can be used only once.
  expect((await visit(resume, cookiesFor(mine, resume))).status).toBe(400);
  expect((await visit(path, cookiesFor(mine, path))).status).toBe(400);
});

test('an unanswered sign-in gives no code', async () => {
  const strategy: InteractionStrategy = { handle: async (_asked, { response }) => void response.end('wait') };
  await open({ interaction: strategy });
  const start = await client.authorize(await client.registered());
  const path = start.headers.get('location') ?? '';
  expect(await (await visit(path, cookiesFor(start, path))).text()).toBe('wait');
  const resume = path.replace('/interaction', '/authorize');
  const early = await visit(resume, cookiesFor(start, resume));
  expect(early.headers.get('location') ?? '').not.toContain('code=');
});

test('only the first of two answers counts', async () => {
  const answers: InteractionResult[] = [
    { kind: 'denied' },
    { kind: 'granted', subject: '7', scopes: ['svc:read'] },
  ];
  await open({ answer: () => answers.shift() ?? { kind: 'denied' } });
  const start = await client.authorize(await client.registered());
  const path = start.headers.get('location') ?? '';
  const cookie = cookiesFor(start, path);
  expect((await visit(path, cookie)).status).toBe(303);
  const again = await visit(path, cookie, 'POST');
  expect(again.headers.get('location')).toBe(path.replace('/interaction', '/authorize'));
  expect(running.asked).toHaveLength(1);
  expect((await client.walk(start)).searchParams.get('error')).toBe('access_denied');
});

test('only one of several simultaneous answers counts and makes a grant', async () => {
  const rows = createMemoryRows();
  const arrived = Promise.withResolvers<void>();
  let waiting = 0;
  await open({
    rows,
    interaction: {
      async handle(_asked, { finish }) {
        waiting += 1;
        if (waiting === 3) arrived.resolve();
        await arrived.promise;
        await finish({ kind: 'granted', subject: '7', scopes: ['svc:read'] });
      },
    },
  });
  const start = await client.authorize(await client.registered());
  const path = start.headers.get('location') ?? '';
  const cookie = cookiesFor(start, path);
  const answers = await Promise.all([visit(path, cookie), visit(path, cookie), visit(path, cookie)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400]);
  expect(rows.count('Grant')).toBe(1);
  expect((await client.walk(start)).searchParams.get('code')).not.toBeNull();
});

test('paths below a sign-in are passed to its page with the rest of the address', async () => {
  const seen: [string, string][] = [];
  await open({
    interaction: {
      async handle(_asked, { path, subpath, response }) {
        seen.push([path, subpath]);
        response.end();
      },
    },
  });
  const start = await client.authorize(await client.registered());
  const path = start.headers.get('location') ?? '';
  const cookie = cookiesFor(start, path);
  await visit(path, cookie);
  await visit(`${path}/sign-in?x=1`, cookie, 'POST');
  expect(seen).toEqual([
    [path, ''],
    [path, '/sign-in'],
  ]);
});

test('a refusal by the sign-in page is shown as a plain page, and an error reveals no details', async () => {
  const failures = [
    new AppError('quota_exceeded', { message: 'Too many tries.' }),
    new Error('secret cause'),
  ];
  await open({
    interaction: {
      handle: async () => {
        throw failures.shift() ?? new Error('no more');
      },
    },
  });
  const start = await client.authorize(await client.registered());
  const path = start.headers.get('location') ?? '';
  const see = () =>
    fetch(`${running.origin}${path}`, {
      headers: { cookie: cookiesFor(start, path), accept: 'text/html' },
    });
  const refused = await see();
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('Too many tries.')]);
  const broken = await see();
  const page = await broken.text();
  expect(broken.status).toBe(500);
  expect(page).not.toContain('secret cause');
});

test('a sign-in expires after ten minutes', async () => {
  await open();
  const start = await client.authorize(await client.registered());
  const path = start.headers.get('location') ?? '';
  running.clock.move(601_000);
  expect((await visit(path, cookiesFor(start, path))).status).toBe(400);
});

test('the newest of many unfinished sign-ins can still be finished', async () => {
  await open();
  const clientId = await client.registered();
  const first = await client.authorize(clientId);
  for (let at = 0; at < 10; at += 1) {
    await Promise.all(Array.from({ length: 50 }, () => client.authorize(clientId)));
  }
  const last = await client.authorize(clientId);
  const [early = '', late = ''] = [first, last].map((start) => start.headers.get('location') ?? '');
  expect((await visit(early, cookiesFor(first, early))).status).toBe(400);
  expect((await visit(late, cookiesFor(last, late))).status).toBe(303);
});

test('an authorization request may be sent as a form', async () => {
  await open();
  const clientId = await client.registered();
  const start = await fetch(`${running.origin}/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      resource: running.resource,
      state: 's',
    }),
  });
  expect((await client.walk(start)).searchParams.get('state')).toBe('s');
});

test.each([
  ['nothing', ''],
  ['a space', ' '],
  ['punctuation', 'a b+c%20&=#?/:@"\'<>\\^`{|}~'],
  ['letters of other scripts', 'ünïcode 日本語 🎈'],
  ['2000 characters', 's'.repeat(2_000)],
])('a state of %s is returned unchanged', async (_name, state) => {
  await open();
  const { answer } = await client.code(await client.registered(), { state });
  expect(answer.get('state') ?? '').toBe(state);
  expect(answer.get('code')).not.toBeNull();
});

test.each(['image', 'iframe', 'frame', 'script', 'style', 'object', 'embed', 'empty', 'document, image'])(
  'no sign-in is shown inside another page (%s), and the user’s own window still works',
  async (destination) => {
    const handled: string[] = [];
    await open({
      interaction: {
        async handle({ id }, { response }) {
          handled.push(id);
          response.end();
        },
      },
    });
    const clientId = await client.registered();
    const inside = { 'sec-fetch-dest': destination };
    expect((await client.authorize(clientId, {}, inside)).status).toBe(400);
    const window = await client.authorize(clientId, {}, { 'sec-fetch-dest': 'document' });
    const path = window.headers.get('location') ?? '';
    const cookie = cookiesFor(window, path);
    const look = (headers: Record<string, string>) =>
      fetch(`${running.origin}${path}`, { headers: { cookie, ...headers }, redirect: 'manual' });
    expect((await look(inside)).status).toBe(400);
    expect((await look({ 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' })).status).toBe(
      400,
    );
    expect(handled).toEqual([]);
    expect((await look({ 'sec-fetch-dest': 'document' })).status).toBe(200);
    expect(handled).toHaveLength(1);
  },
);
