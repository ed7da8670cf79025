import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright';
import { openEndpointWorld, type EndpointWorld } from '#test/core/gateway/endpoint/endpoint-world.ts';
import { axeFaults } from '#test/e2e/driver/axe.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { serveClientCallback } from './client-callback.ts';

let browser: Browser;
const client = serveClientCallback('<h1>Back</h1>');

beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);
afterAll(async () => {
  await browser.close();
});

async function requestAccess(
  context: BrowserContext,
  { client: oauth, world }: EndpointWorld,
  name: string,
): Promise<Page> {
  world.clock.advance(1);
  const clientId = await oauth.registered({ client_name: name, redirect_uris: [client.redirectUri()] });
  const page = await context.newPage();
  await page.goto(oauth.authorizeUrl(clientId, { redirect_uri: client.redirectUri() }));
  return page;
}

test('a browser without scripts waits, shows the same two words as the window, and continues without a click', async () => {
  const endpointWorld = await openEndpointWorld();
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark' });
  onTestFinished(() => context.close());
  const hostile = '<img src=x onerror=alert(1)>\u202e';
  const first = await requestAccess(context, endpointWorld, hostile);
  await first.getByText(`“<img src=x onerror=alert(1)>⟨U+202E⟩”`).waitFor();
  expect(await first.locator('img, script, form, a').count()).toBe(0);

  // Two programs may wait in one browser, so each tab must get its own answer.
  const second = await requestAccess(context, endpointWorld, 'Second');
  const [asked] = await endpointWorld.waiting();
  const shown = asked?.detail.kind === 'admission' ? asked.detail.words : '';
  await second.getByText(shown, { exact: true }).waitFor();
  await endpointWorld.answer('allow');
  await second.getByRole('heading', { name: 'Back' }).waitFor();
  expect(new URL(second.url()).searchParams.get('code')).not.toBeNull();

  await endpointWorld.answer('deny');
  await first.getByRole('heading', { name: 'Back' }).waitFor();
  expect(new URL(first.url()).searchParams.get('error')).toBe('access_denied');
});

test('the waiting page is accessible in the light and the dark theme', async () => {
  const { page: waiting } = await (await openEndpointWorld()).requestAccess({ client_name: 'Claude Code' });
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // Without its Refresh header the page does not reload.
  await page.setContent(waiting.text);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFaults(page)).toEqual([]);
  }
});
