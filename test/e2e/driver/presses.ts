import type { Page } from 'playwright-core';

/** Counts the presses of a person in the app's page, from now on. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = { presses: 0 };
    Object.assign(window, { counter });
    document.addEventListener('pointerdown', () => (counter.presses += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { counter: { presses: number } }).counter.presses);
}
