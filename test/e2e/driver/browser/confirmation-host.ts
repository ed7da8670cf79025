import { expect } from 'vitest';
import type { BrowserContext, Page } from 'playwright';
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
      const released = Promise.withResolvers<void>();
      // The request may be sent after the release.
      await page.route(seen, async (route) => {
        await released.promise;
        await route.continue();
      });
      return { release: async () => released.resolve() };
    },
    decisions: () => decisions,
  };
}
