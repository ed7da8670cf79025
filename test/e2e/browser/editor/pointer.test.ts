import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

async function boxOf(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error('It is not in view');
  return box;
}

test('hours painted beyond the edge of the week are selected, and a dialog stays open when a text selection ends outside', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid] = await second.cids({ status: 1, perPage: 1 });
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/schedule`);
  const panel = page.getByRole('region', { name: `Campaign ${cid}`, exact: true });
  await panel.getByRole('button', { name: 'Weekdays 8–20' }).click();
  await panel.getByText('60 of 168 hours on.').waitFor();
  const grid = panel.getByRole('grid', { name: 'Scheduled hours' });
  const from = await boxOf(grid.getByRole('gridcell', { name: /^Sunday 20:00/ }));
  const last = await boxOf(grid.getByRole('gridcell', { name: /^Sunday 23:00/ }));
  await page.mouse.move(from.x + 4, from.y + 4);
  await page.mouse.down();
  await page.mouse.move(last.x + 4, last.y + 4, { steps: 4 });
  await page.mouse.move(last.x + last.width + 60, last.y + 4, { steps: 4 });
  await page.mouse.up();
  await panel.getByText('64 of 168 hours on.').waitFor();
  // Moving without a pressed button paints nothing.
  await page.mouse.move(from.x - 100, from.y - 40, { steps: 4 });
  await panel.getByText('64 of 168 hours on.').waitFor();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const field = await boxOf(palette.getByRole('combobox'));
  const dialog = await boxOf(palette);
  await page.keyboard.type('campaigns');
  await page.mouse.move(field.x + 60, field.y + field.height / 2);
  await page.mouse.down();
  await page.mouse.move(dialog.x - 40, field.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => palette.getByRole('combobox').inputValue()).toBe('campaigns');
  await page.mouse.click(dialog.x - 40, field.y);
  await palette.waitFor({ state: 'detached' });
  expect(await complaints()).toEqual([]);
});
