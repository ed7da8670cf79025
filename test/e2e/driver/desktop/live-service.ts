import type { Browser, Page } from 'playwright';
import type { ServedProcess } from '#test/servers/served-service.ts';
import { untilFound } from '#test/setup/eventually.ts';
import type { AppDriver } from '../app.ts';

/** Steps of a person who connects a live service, by the words on the pages. */
export interface LiveDriver {
  /** Adds a profile from a single address, as a person would. */
  addProfile(name: string): Promise<void>;
  /** Starts a sign-in and completes it on the service's own pages in a browser. */
  signIn(scopes: readonly string[], atTheEnd?: (tab: Page) => Promise<void>): Promise<void>;
  /** Calls `start`, which begins a sign-in, and completes the sign-in on the service's own pages in a browser. */
  agreeAfter(start: () => Promise<void>, atTheEnd?: (tab: Page) => Promise<void>): Promise<void>;
  /** Pastes a credential of an account into its card. */
  paste(label: string, value: string): Promise<void>;
  switchTo(profile: string): Promise<void>;
}

export interface LiveDriverParts {
  app: AppDriver;
  live: ServedProcess;
  browser: Browser;
  /** Returns the addresses that the app has passed to the system's browser. */
  opened(): Promise<string[]>;
  colorScheme?: 'light' | 'dark';
}

export function liveDriver({
  app,
  live,
  browser,
  opened,
  colorScheme = 'light',
}: LiveDriverParts): LiveDriver {
  const { page } = app;
  const buyer = live.account('buyer');

  const nextOpened = (before: number): Promise<string> =>
    untilFound(async () => (await opened())[before] ?? '');

  async function agreeAfter(
    start: () => Promise<void>,
    atTheEnd?: (tab: Page) => Promise<void>,
  ): Promise<void> {
    const before = (await opened()).length;
    await start();
    const tab = await browser.newPage({ colorScheme });
    await tab.goto(await nextOpened(before));
    await agree(tab, { login: buyer.login, password: live.served.password });
    await atTheEnd?.(tab);
    await tab.close();
    await page.getByText('You are signed in.').waitFor();
    await page.getByRole('button', { name: 'OK', exact: true }).click();
  }

  return {
    agreeAfter,
    async addProfile(name) {
      await app.goTo('Profiles');
      await page.getByRole('button', { name: 'Add a profile' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Tools address').fill(live.served.addresses.mcp_url);
      await page.getByRole('button', { name: 'Add profile' }).click();
      await page.getByRole('heading', { name }).waitFor();
    },
    async signIn(scopes, atTheEnd) {
      await page.getByRole('button', { name: /^(Sign in|Sign in again|Allow changes|Allow more)…$/ }).click();
      for (const scope of scopes) await page.getByRole('checkbox', { name: scope }).click({ force: true });
      const go = page.getByRole('button', { name: 'Continue in the browser' });
      await agreeAfter(() => go.click(), atTheEnd);
    },
    async paste(label, value) {
      const field = page.getByLabel(label);
      await field.fill(value);
      await page.locator('form', { has: field }).getByRole('button', { name: 'Save' }).click();
      await field.waitFor({ state: 'detached' });
    },
    async switchTo(profile) {
      await page.getByRole('banner').getByRole('button').first().click();
      await page.getByRole('menuitemradio', { name: profile }).click();
      await page.getByRole('banner').getByText(profile).waitFor();
    },
  };
}

/** Signs in and allows access on the service's own pages, and reads the page of the app's callback. */
async function agree(tab: Page, { login, password }: { login: string; password: string }): Promise<void> {
  await tab.getByLabel('Login').fill(login);
  await tab.getByLabel('Password').fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: 'Allow' }).click();
  await tab.getByText('You can close this page').waitFor();
}
