import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Browser, Page } from 'playwright';
import { axeFaults } from '#test/e2e/driver/axe.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { openPageHost } from '#test/core/backend/oauth/page-host.ts';
import type { PageHost } from '#test/core/backend/oauth/page-host.ts';

let host: PageHost;
let browser: Browser;
const called: string[] = [];
const client = createServer((request, response) => {
  if (request.url?.startsWith('/callback')) called.push(request.url);
  response.setHeader('content-type', 'text/html');
  response.end(`<h1>Back</h1>`);
});
let clientOrigin = '';

beforeAll(async () => {
  [host, browser] = await Promise.all([openPageHost(), launchChromium()]);
  await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
  clientOrigin = `http://127.0.0.1:${(client.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await browser.close();
  client.closeAllConnections();
  client.close();
  await host.dispose();
});
beforeEach(() => {
  called.length = 0;
  host.results.length = 0;
});

async function openTab(): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

const ask = (asked: Parameters<PageHost['ask']>[0] = {}) =>
  host.ask({ redirectUri: `${clientOrigin}/callback`, ...asked });

/** Types login and password on the keyboard, starting in the focused first field. */
async function typePair(page: Page, login: string, password: string): Promise<void> {
  await page.locator('[name=login]:focus').waitFor();
  await page.keyboard.type(login);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
}

async function signIn(page: Page): Promise<void> {
  await typePair(page, 'marlow-media', host.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
}

async function openConsent(asked: Parameters<PageHost['ask']>[0] = {}): Promise<Page> {
  const page = await openTab();
  await page.goto(ask(asked));
  await signIn(page);
  return page;
}

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('value'),
  );

test('Enter in the password field signs in, Allow returns to the client, and the page’s address is not passed on', async () => {
  const page = await openConsent();
  let referrer: string | undefined = 'unread';
  page.on('request', (request) => {
    if (request.url().startsWith(clientOrigin)) referrer = request.headers()['referer'];
  });
  await page.getByRole('checkbox', { name: /Upload pictures/ }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back' }).waitFor();
  expect(called).toEqual(['/callback?code=abc']);
  expect(referrer).toBeUndefined();
  expect(host.results).toEqual([
    { kind: 'granted', subject: '20417', scopes: ['svc:read', 'svc:write', 'offline_access'] },
  ]);
});

test('Allow returns to a client on the IPv6 loopback address as well', async () => {
  const page = await openConsent({ redirectUri: 'http://[::1]:9/callback' });
  const leaving = page.waitForEvent('requestfailed', (request) =>
    request.url().startsWith('http://[::1]:9/'),
  );
  await page.getByRole('button', { name: 'Allow' }).click();
  // No server listens at this address. The page's policy would have blocked the request before the connection.
  expect((await leaving).failure()?.errorText).not.toContain('CSP');
  expect((await leaving).url()).toBe('http://[::1]:9/callback?code=abc');
});

test('Deny has the focus, and Enter there or on a checkbox never allows', async () => {
  const page = await openConsent();
  await expect.poll(() => focused(page)).toBe('Deny');
  await page.keyboard.press('Enter');
  await expect.poll(() => host.results).toEqual([{ kind: 'denied' }]);

  const other = await openConsent();
  await other.getByRole('checkbox', { name: /Propose and commit/ }).focus();
  await other.keyboard.press('Enter');
  await expect.poll(() => host.results).toEqual([{ kind: 'denied' }, { kind: 'denied' }]);
});

test('holding Enter from the sign-in on allows nothing', async () => {
  const page = await openTab();
  await page.goto(ask());
  await typePair(page, 'marlow-media', host.password);
  for (let n = 0; n < 40; n += 1) await page.keyboard.down('Enter').catch(() => undefined);
  await page.keyboard.up('Enter');
  expect(host.results.filter(({ kind }) => kind === 'granted')).toEqual([]);
});

test('the Tab key follows the reading order', async () => {
  const page = await openConsent();
  const order: unknown[] = [];
  await expect.poll(() => focused(page)).toBe('Deny');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.getByRole('heading', { name: 'Allow access?' }).click();
  for (let n = 0; n < 6; n += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused(page));
  }
  expect(order).toEqual([
    'Use another account',
    'svc:write',
    'svc:upload',
    'offline_access',
    'Deny',
    'Allow',
  ]);
  await page.keyboard.press('Space');
  await expect.poll(() => host.results).toMatchObject([{ kind: 'granted' }]);
});

test('a client name is shown as plain text, whatever it contains', async () => {
  const clientName =
    '</b><script>document.title="owned"</script><img src=x onerror="document.title=1"><form action="//evil.example">';
  const page = await openTab();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(ask({ clientName }));
  await signIn(page);
  expect(await page.title()).toBe('Allow access? – Countersign service');
  expect(await page.locator('script, img, form:not([action^="/interaction/"])').count()).toBe(0);
  await expect.poll(() => page.locator('.lead b').innerText()).toBe(`“${clientName.replaceAll('"', '"')}”`);
  expect(asked.filter((path) => !path.startsWith('/interaction/'))).toEqual([]);
});

test.each(['light', 'dark'] as const)('axe finds no accessibility fault, %s', async (colorScheme) => {
  const page = await openTab();
  await page.emulateMedia({ colorScheme });
  await page.goto(ask());
  await typePair(page, 'nobody', 'wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  // The login stays in its field, and the focus is on the password.
  await page.locator('[name=password]:focus').waitFor();
  await page.locator('[name=login]').fill('marlow-media');
  await page.locator('[name=password]').fill(host.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test('no other page can show the consent page in a frame', async () => {
  const page = await openTab();
  await page.goto(clientOrigin);
  const address = ask();
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
    return new Promise((resolve) => frame.addEventListener('load', resolve));
  }, address);
  const [, frame] = page.frames();
  expect(frame?.url()).toMatch(/^chrome-error:/);
  expect(await frame?.locator('input').count()).toBe(0);
});

test.each([
  [1280, 'light'],
  [420, 'dark'],
] as const)(
  'at a width of %i px, %s, nothing is cut off and both answers are visible',
  async (width, colorScheme) => {
    const page = await openConsent({
      clientName: 'x'.repeat(200),
      redirectUri: `https://helper.example/${'y'.repeat(300)}`,
    });
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const name of ['Deny', 'Allow']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
    }
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    // Proves that the browser loaded the style sheet that the policy allows.
    expect(await page.locator('main').evaluate((main) => getComputedStyle(main).borderRadius)).toBe('6px');
  },
);
