import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The pictures that documents use. All others are only for review and are not committed. */
const documented: ReadonlySet<string> = new Set(['desktop-scene-light', 'reports-light-1280']);

/** Returns the path of a picture, and creates its folder. */
export function pictureFile(name: string): string {
  const folder = documented.has(name) ? 'docs/pictures' : 'test/.output/pictures';
  const file = join(root, folder, `${name}.png`);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** The sizes at which pages are drawn. */
export const pageSizes = [
  { width: 1280, height: 800 },
  { width: 1680, height: 1050 },
] as const;

export const themes = ['light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** Takes pictures of a page in every size. The caller has prepared the page's state. */
export async function takePage(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of pageSizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `${name}-${theme}-${size.width}`);
  }
  await page.setViewportSize(pageSizes[0]);
}

/** Takes a picture of the confirmation at its own size. */
export async function takeConfirmation(page: Page, name: string, theme: Theme): Promise<void> {
  await page.setViewportSize({ width: 760, height: 680 });
  // The buttons arm again after the window has regained the focus.
  await page.waitForTimeout(900);
  await savePicture(page, `${name}-${theme}`);
}

/** Takes pictures of the full length of a page in the widths of a desktop and a phone. */
export async function takeNarrowPage(page: Page, name: string, theme: Theme): Promise<void> {
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await savePicture(page, `${name}-${theme}-${width}`);
  }
}

/** Takes a picture of a page in its current state. */
export async function savePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: pictureFile(name), animations: 'disabled', caret: 'hide' });
}
