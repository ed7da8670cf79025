import type { Page } from 'playwright';
import { test } from 'vitest';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { savePicture, type Theme, themes } from './camera.ts';

const { startSession } = prepareSessions();

async function takeSizes(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 900, height: 700 },
    // 1280 × 800 at 200 % zoom.
    { width: 640, height: 400 },
  ]) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `${name}-${theme}-${size.width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test.each(themes)('editing cells of the campaign list, %s', async (theme) => {
  const { app, faults } = await startSession({ colorScheme: theme });
  const { page } = app;
  await app.until('first row');
  const bid = (row: number) =>
    page
      .locator(`[role=row][aria-rowindex="${row + 1}"]`)
      .getByRole('gridcell')
      .nth(4);
  const editor = page.locator('[role=grid] input:not([type=checkbox])');

  await bid(2).click();
  await bid(7).click({ modifiers: ['Shift'] });
  await page.keyboard.type('+10%');
  await page.getByText('changes all 6 selected').waitFor();
  await takeSizes(page, 'cells-fill', theme);
  await page.keyboard.press('Control+Enter');
  await page.getByText(', draft, was').nth(5).waitFor({ state: 'attached' });
  await takeSizes(page, 'cells-drafted', theme);

  await bid(4).click({ button: 'right' });
  await page.getByRole('menu').waitFor();
  await takeSizes(page, 'cells-menu', theme);
  await page.keyboard.press('Escape');

  await bid(9).dblclick();
  await editor.fill('99999');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await takeSizes(page, 'cells-refused', theme);
  await page.keyboard.press('Escape');

  const back = faults.arm({ kind: 'answer', status: 503, lasts: true });
  await bid(12).dblclick();
  await editor.fill('+20%');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await takeSizes(page, 'cells-away', theme);
  await page.keyboard.press('Escape');
  back();

  await bid(10).click();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor();
  await takeSizes(page, 'cells-status', theme);
  await page.keyboard.press('Escape');

  await bid(11).click();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '+1%\nten\n+2%\n99,999,999\n+3%');
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await page.getByRole('dialog').waitFor();
  await takeSizes(page, 'cells-paste', theme);
});
