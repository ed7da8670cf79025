import { expect } from 'vitest';
import type { BrowserContext, Locator, Page, Route } from 'playwright-core';

/** The confirmation window, as a person uses it. */
export interface ConfirmationDriver {
  page: Page;
  approve: Locator;
  deny: Locator;
  /** The sentence on top. */
  title(): Promise<string>;
  fingerprint(): Promise<string>;
  /** Every word on the page. */
  words(): Promise<string>;
  /** Waits until the buttons have armed. */
  armed(): Promise<void>;
  /** Waits, then presses Approve as a person would. */
  pressApprove(): Promise<void>;
  pressDeny(reason?: string): Promise<void>;
  /** Waits until the proposal rests in this state, for example `Verified`. */
  ends(state: string): Promise<void>;
  /** Waits until the page says this. */
  says(words: string | RegExp): Promise<void>;
  /** Where the focus is, by its accessible name. */
  focused(name: string): Locator;
  /** The window loses the focus to the app's page, as a person's windows do, and regains it. */
  refocus(): Promise<void>;
  /** Keeps the buttons from arming: the window regains the focus and the core is not told until `release`. */
  holdArming(): Promise<{ release(): Promise<void> }>;
  /** How many decisions the page has sent. */
  decisions(): number;
}

/** Opens the address of a showing in a page of its own. */
export async function openConfirmation(
  context: BrowserContext,
  address: string,
): Promise<ConfirmationDriver> {
  const confirmation = confirmationDriver(await context.newPage());
  await confirmation.page.goto(address);
  return confirmation;
}

export function confirmationDriver(page: Page): ConfirmationDriver {
  const approve = page.getByRole('button', { name: /^Approve/ });
  const deny = page.getByRole('button', { name: 'Deny', exact: true });
  const armed = async (): Promise<void> => {
    await page.locator('button[aria-disabled="false"]', { hasText: /^Deny/ }).waitFor();
  };
  async function refocus(): Promise<void> {
    const [other = page] = page.context().pages();
    for (const one of [other, page]) await stopPretendingFocus(one);
    await other.bringToFront();
    await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(false);
    await page.bringToFront();
    await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
  }

  let decisions = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/confirmation/decide')) decisions += 1;
  });
  return {
    page,
    approve,
    deny,
    title: async () => (await page.getByRole('heading', { level: 1 }).innerText()).trim(),
    async fingerprint() {
      const hex = await page.getByTitle(/^[0-9a-f]{64}$/).getAttribute('title');
      return hex ?? '';
    },
    words: () => page.locator('body').innerText(),
    armed,
    async pressApprove() {
      await armed();
      await approve.click();
    },
    async pressDeny(reason) {
      await armed();
      if (reason !== undefined) await page.getByLabel('Reason for denying (optional)').fill(reason);
      await deny.click();
    },
    async ends(state) {
      await page.getByRole('main').getByText(state, { exact: true }).waitFor();
    },
    async says(words) {
      await page.getByText(words).first().waitFor();
    },
    focused: (name) => page.locator(':focus').and(page.getByLabel(name).or(page.getByText(name))),
    refocus,
    async holdArming() {
      const seen = '**/confirmation/seen';
      const held: Route[] = [];
      await page.route(seen, (route) => void held.push(route));
      await refocus();
      await page.locator('button[aria-disabled="true"]', { hasText: /^Deny/ }).waitFor();
      return {
        async release() {
          await Promise.all(held.map((route) => route.continue()));
          await page.unroute(seen);
          await armed();
        },
      };
    },
    decisions: () => decisions,
  };
}

/** The browser tells every driven page that it has the focus, until it is told not to. */
async function stopPretendingFocus(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
}
