import type { Page } from 'playwright';

/**
 * From now on the page has the focus only if its window has it. Chromium reports to a driven page that it always has the
 * focus, until a session switches this emulation on and off again.
 */
export async function giveRealFocus(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const enabled of [true, false]) await session.send('Emulation.setFocusEmulationEnabled', { enabled });
}
