import type { Page } from 'playwright';
import { inTime } from '#test/setup/eventually.ts';

/**
 * From now on the page has the focus only if its window has it. Chromium reports to a driven page that it always has the
 * focus, until a session switches this emulation on and off again.
 */
export async function giveRealFocus(page: Page): Promise<void> {
  // A session that is opened while its window appears may never be answered, so a second one is tried.
  await inTime('The first session', switchEmulationOff(page), 10_000).catch(() => switchEmulationOff(page));
}

async function switchEmulationOff(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const enabled of [true, false]) await session.send('Emulation.setFocusEmulationEnabled', { enabled });
}
