import { expect } from 'vitest';
import type { BrowserContext, Page, Route } from 'playwright';
import { giveRealFocus } from '#test/servers/real-focus.ts';
import type { ConfirmationHost } from '../host.ts';

/** The size at which the browser host opens the window. */
const windowSize = { width: 760, height: 680 };

/** Opens the address of a confirmation in a tab with the window's size. */
export async function openConfirmation(context: BrowserContext, address: string): Promise<ConfirmationHost> {
  const page = await context.newPage();
  await page.setViewportSize(windowSize);
  const confirmation = browserConfirmation(page);
  await page.goto(address);
  return confirmation;
}

/** Drives a page of the confirmation's origin. */
export function browserConfirmation(page: Page): ConfirmationHost {
  let decisions = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/confirmation/decide')) decisions += 1;
  });

  return {
    page,
    async refocus() {
      const [other = page] = page.context().pages();
      for (const one of [other, page]) await giveRealFocus(one);
      await other.bringToFront();
      await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(false);
      await page.bringToFront();
      await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
    },
    close: () => page.close(),
    isGone: async () => page.isClosed(),
    async holdSeen() {
      const seen = '**/confirmation/seen';
      const held: Route[] = [];
      await page.route(seen, (route) => void held.push(route));
      return {
        async release() {
          await Promise.all(held.map((route) => route.continue()));
          await page.unroute(seen);
        },
      };
    },
    decisions: () => decisions,
  };
}
