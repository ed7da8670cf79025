import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { challengeOf, createTestClient } from '#test/core/oauth-server/test-client.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { serveClientCallback } from './client-callback.ts';

let service: RunningBackend;
let browser: Browser;
const client = serveClientCallback(`<h1>Back</h1><script>window.opener?.postMessage('back', '*')</script>`);

beforeAll(async () => {
  [service, browser] = await Promise.all([startBackend({ campaigns: 5, days: 3 }), launchChromium()]);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await service.dispose();
});

async function openProfile(): Promise<BrowserContext> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context;
}

/** Returns an authorization request of a newly registered client, and the parameters that redeem its code. */
async function request(host = '127.0.0.1', scope = 'svc:read svc:write') {
  const origin = `http://127.0.0.1:${service.port}`;
  const oauth = createTestClient(origin);
  const clientId = await oauth.registered({
    client_name: 'Chromium test',
    redirect_uris: [client.redirectUri()],
  });
  const verifier = randomBytes(32).toString('base64url');
  const asked = oauth.authorizeUrl(clientId, {
    redirect_uri: client.redirectUri(),
    code_challenge: challengeOf(verifier),
    state: clientId,
    scope,
  });
  const url = asked.replace(origin, `http://${host}:${service.port}`);
  const redeem = async (page: Page): Promise<{ scope: string }> => {
    const answer = new URL(page.url()).searchParams;
    expect([answer.get('state'), answer.get('iss')]).toEqual([clientId, origin]);
    const code = { code: answer.get('code') ?? '', verifier, clientId, answer };
    const tokens = await oauth.redeem(code, { redirect_uri: client.redirectUri() });
    expect(tokens.status).toBe(200);
    return (await tokens.json()) as { scope: string };
  };
  return { url, redeem };
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Login').fill('marlow-media');
  await page.getByLabel('Password').fill(service.credentials.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
}

async function allow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back' }).waitFor();
}

test.each(['127.0.0.1', 'localhost'])(
  'a browser signs in at %s and returns to the client with a code',
  async (host) => {
    const page = await (await openProfile()).newPage();
    const asked = await request(host);
    await page.goto(asked.url);
    await signIn(page);
    await page.getByRole('checkbox', { name: /Propose and commit/ }).uncheck();
    await allow(page);
    expect((await asked.redeem(page)).scope).toBe('svc:read');
  },
);

test('two clients that request access at the same time get separate questions and answers', async () => {
  const context = await openProfile();
  const [first, second] = [await request(), await request('127.0.0.1', 'svc:read')];
  const [one, two] = [await context.newPage(), await context.newPage()];
  await one.goto(first.url);
  await two.goto(second.url);
  await signIn(two);
  expect(await two.getByRole('checkbox').count()).toBe(0);
  await allow(two);
  expect((await second.redeem(two)).scope).toBe('svc:read');
  await signIn(one);
  await allow(one);
  expect((await first.redeem(one)).scope).toBe('svc:read svc:write');
});

test('a browser that returns to an answered question, or opens another browser’s question, is told what to do', async () => {
  const context = await openProfile();
  const page = await context.newPage();
  const asked = await request();
  await page.goto(asked.url);
  await signIn(page);
  const question = page.url();
  const stranger = await (await openProfile()).newPage();
  await stranger.goto(question);
  await stranger.getByRole('heading', { name: 'Not connected' }).waitFor();
  await expect.poll(() => stranger.getByText('connect again').isVisible()).toBe(true);
  expect(await stranger.getByRole('button').count()).toBe(0);
  await allow(page);
  await page.goto(question);
  await page.getByText('connect again').waitFor();
  expect((await page.request.get(question)).status()).toBeGreaterThanOrEqual(400);
});

test('a web client that opens the sign-in in a popup gets the result from the popup', async () => {
  const page = await (await openProfile()).newPage();
  const asked = await request();
  await page.goto(client.redirectUri().replace('/callback', '/app'));
  const heard = page.evaluate(
    () => new Promise((resolve) => window.addEventListener('message', ({ data }) => resolve(data))),
  );
  const opened = page.waitForEvent('popup');
  await page.evaluate((url) => void window.open(url), asked.url);
  const popup = await opened;
  await signIn(popup);
  await allow(popup);
  expect(await heard).toBe('back');
});

test('every request for access is asked in full, even by the same client in the same browser', async () => {
  const page = await (await openProfile()).newPage();
  const asked = await request();
  for (const again of [false, true]) {
    await page.goto(asked.url);
    expect([again, await page.getByRole('heading', { name: 'Sign in' }).isVisible()]).toEqual([again, true]);
    await signIn(page);
    await allow(page);
  }
});
