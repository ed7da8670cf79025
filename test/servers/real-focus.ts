import type { Page } from 'playwright';

/**
 * From now on the page has the focus when its window has it. A driven page is told that it always has, until it is told
 * otherwise by a session that has said so before.
 */
export async function giveRealFocus(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const enabled of [true, false]) await session.send('Emulation.setFocusEmulationEnabled', { enabled });
}
