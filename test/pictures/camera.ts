import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = new URL('../../docs/pictures/', import.meta.url).pathname;

/** The sizes at which pages are drawn. */
export const pageSizes = [
  { width: 1280, height: 800 },
  { width: 1680, height: 1050 },
] as const;

export const themes = ['light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** Takes a page in every size; the caller has brought it into its state. */
export async function takePage(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of pageSizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `${name}-${theme}-${size.width}`);
  }
  await page.setViewportSize(pageSizes[0]);
}

/** Takes the confirmation at its own size. */
export async function takeConfirmation(page: Page, name: string, theme: Theme): Promise<void> {
  await page.setViewportSize({ width: 760, height: 680 });
  // The buttons arm anew when the window regains the focus.
  await page.waitForTimeout(900);
  await savePicture(page, `${name}-${theme}`);
}

/** Takes a page as wide as a desktop's and as a phone's, to its end. */
export async function takeNarrowPage(page: Page, name: string, theme: Theme): Promise<void> {
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await savePicture(page, `${name}-${theme}-${width}`);
  }
}

/** Takes a page as it stands. */
export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}
