import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { startBrowserHost, type BrowserHost } from '#headless/browser-host/start-browser-host.ts';
import { appApi } from '#shared/app-api/index.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import { page, readAddress, type PageClient } from './page.ts';
import { makePages } from './pages.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { untilFound } from '#test/setup/eventually.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'countersign-training-'));
const rendererFolder = makePages();
let host: BrowserHost;
let app: PageClient;
let appOrigin: string;
let training: PageClient;
let trainingOrigin: string;

const start = (): Promise<BrowserHost> =>
  startBrowserHost({ dataFolder, pages: builtPages(rendererFolder), version: '0.0.0', demoCampaigns: 10 });

async function signIn(address: string): Promise<{ origin: string; client: PageClient; secret: string }> {
  const { origin, ticket } = readAddress(address);
  // A connection that was kept alive to an earlier host fails first.
  await untilFound(() =>
    page(origin)
      .get('/')
      .then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  const { secret = '' } = (await page(origin).post('/session', { ticket })).body;
  return { origin, client: page(origin, secret), secret };
}

async function openTraining(): Promise<string> {
  const { status, body } = await app.post('/host/open-training', {});
  expect(status).toBe(200);
  return (body.output as { address: string }).address;
}

beforeAll(async () => {
  host = await start();
  ({ client: app, origin: appOrigin } = await signIn(host.address()));
});
afterAll(async () => {
  await host.dispose();
  rmSync(dataFolder, { recursive: true });
  rmSync(rendererFolder, { recursive: true });
});

async function propose(): Promise<string> {
  const filter = { query: '', status: 1, types: [], sort: 'cid' as const, order: 'asc' as const };
  const { rows } = await host.core.handlers['campaigns.page']({ filter, page: 1, perPage: 1 });
  const { cid = 0, name = '' } = rows[0] ?? {};
  const changes = [{ field: 'name', from: name, to: `${name}, renamed` }];
  return (await proposeUpdate(host.core.handlers, { cid, changes })).id;
}

async function* itemsOf(response: Response): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of response.body ?? []) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
}

test('no core of training exists before the user opens training', async () => {
  expect(existsSync(join(dataFolder, 'training'))).toBe(false);
  ({ client: training, origin: trainingOrigin } = await signIn(await openTraining()));
  expect((await training.post('/api/session.get', {})).body.output).toMatchObject({
    profile: { name: 'Training', kind: 'demo' },
  });
});

test('opening training again leads to the same core, with an address that works once', async () => {
  const address = await openTraining();
  expect((await signIn(address)).origin).toBe(trainingOrigin);
  const { origin, ticket } = readAddress(address);
  expect((await page(origin).post('/session', { ticket })).status).toBe(401);
});

test('training has no request of the real core, and its secrets do not open the real core', async () => {
  const { secret } = await signIn(await openTraining());
  for (const name of Object.keys(appApi)) {
    const answer = await page(appOrigin, secret).post(`/api/${name}`, {});
    expect([name, answer.status]).toEqual([name, 401]);
  }
  expect((await page(appOrigin, secret, trainingOrigin).post('/api/session.get', {})).status).toBe(403);
  expect((await app.post('/api/training.home', {})).body.error?.code).toBe('training_only');
});

test.each(['/host/review-real', '/host/stop-real-agents', '/host/real-work'])(
  'the real app’s origin has no %s, and training answers only its own page',
  async (path) => {
    const isStream = path === '/host/real-work';
    const ask = (client: PageClient): Promise<{ status: number }> =>
      isStream ? client.get(path) : client.post(path, {});
    expect((await ask(app)).status).toBeGreaterThanOrEqual(404);
    expect((await ask(page(trainingOrigin))).status).toBe(401);
    expect((await ask(page(trainingOrigin, 'guessed'))).status).toBe(401);
  },
);

test('training cannot open another training', async () => {
  expect((await training.post('/host/open-training', {})).status).toBeGreaterThanOrEqual(404);
});

test('the training page shows how much real work waits and whether the real agents are frozen', async () => {
  const stream = await training.get('/host/real-work');
  const works = itemsOf(stream) as AsyncGenerator<RealWork>;
  expect((await works.next()).value).toEqual({ waiting: 0, frozen: false });
  const id = await propose();
  expect((await works.next()).value).toEqual({ waiting: 1, frozen: false });
  await host.core.handlers['proposals.withdraw']({ id });
  expect((await works.next()).value).toEqual({ waiting: 0, frozen: false });
  await host.core.handlers['agents.freeze']({});
  expect((await works.next()).value).toEqual({ waiting: 0, frozen: true });
  await host.core.handlers['agents.thaw']({});
  await works.return(undefined);
});

test('the training page gets the address of a real confirmation, which it cannot use itself', async () => {
  expect((await training.post('/host/review-real', {})).body.output).toEqual({ address: null });
  const id = await propose();
  const { address } = (await training.post('/host/review-real', {})).body.output as { address: string };
  const { origin, ticket } = readAddress(address);
  expect([appOrigin, trainingOrigin]).not.toContain(origin);
  // A page of training that pretends to be the confirmation has the wrong origin.
  expect((await page(origin, undefined, trainingOrigin).post('/session', { ticket })).status).toBe(403);

  const { body } = await page(origin).post('/session', { ticket });
  const { displayId = '', nonce = '', fingerprint = '' } = body.display ?? {};
  const decision = { displayId, nonce, fingerprint, decision: 'approve', reason: null, typed: null };
  await page(origin, body.secret).post('/confirmation/seen', { displayId, nonce });
  const asTraining = page(origin, body.secret, trainingOrigin);
  expect((await asTraining.post('/confirmation/decide', decision)).status).toBe(403);
  // The confirmation of training does not accept the real confirmation, and the page of training has no request to
  // decide.
  expect((await training.post('/confirmation/decide', decision)).status).toBeGreaterThanOrEqual(400);
  expect(await host.core.handlers['proposals.get']({ id })).toMatchObject({ state: 'shown' });
  await host.core.handlers['proposals.withdraw']({ id });
});

test('the emergency stop of the training page stops the real agents', async () => {
  const { output } = (await training.post('/host/stop-real-agents', {})).body;
  expect(output).toMatchObject({ id: expect.any(String), address: expect.stringContaining('#ticket=') });
  expect((await host.core.handlers['agents.get']({})).frozenSinceMs).not.toBeNull();
  await host.core.handlers['proposals.withdraw']({ id: (output as { id: string }).id });
  await host.core.handlers['agents.thaw']({});
});

test('the training page is marked as training in its markup, and the real page is not', async () => {
  expect(await (await page(trainingOrigin).get('/')).text()).toContain('<html data-place="training">');
  expect(await (await page(appOrigin).get('/')).text()).not.toContain('data-place');
});

test('a host that starts again serves training at the same addresses with its workspace', async () => {
  expect((await training.post('/api/training.startPractice', {})).status).toBe(200);
  // A page that still listens must not delay the host's end.
  const stream = await training.get('/host/real-work');
  await host.dispose();
  await stream.text();
  host = await start();
  ({ client: app } = await signIn(host.address()));
  const again = await signIn(await openTraining());
  expect(again.origin).toBe(trainingOrigin);
  expect((await again.client.post('/api/training.home', {})).body.output).toMatchObject({
    left: { kind: 'practice' },
  });
});
