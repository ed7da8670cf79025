import { expect, test } from 'vitest';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('the guide opens from the rail, from the places that it describes, and from the palette by its text', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 20 });
  const { page } = app;
  await app.until('first row');
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Guide' }).click();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await page.getByRole('heading', { name: 'Your first change', level: 2 }).waitFor();
  await expect.poll(() => contents.getByRole('link').count()).toBeGreaterThan(14);
  expect(await axeFaults(page)).toEqual([]);

  await contents.getByRole('link', { name: 'Guardrails' }).click();
  await contents.getByRole('link', { name: 'Set limits' }).click();
  const heading = page.getByRole('heading', { name: 'Set limits', level: 3 });
  await expect.poll(() => heading.evaluate((found) => found === document.activeElement)).toBe(true);
  await page.goBack();
  await page.getByRole('heading', { name: 'Guardrails', level: 2 }).waitFor();

  await app.goTo('Agents');
  await page.getByRole('link', { name: 'Read about guardrails' }).click();
  await page.getByRole('heading', { name: 'Guardrails', level: 2 }).waitFor();
  await app.goTo('Agents');
  await page.getByRole('main').getByRole('link', { name: 'Guide' }).click();
  await page.getByRole('heading', { name: 'Agents', level: 2 }).waitFor();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('create campaign');
  const found = page.getByRole('option', { name: 'Campaigns › Create, copy or delete a campaign' });
  await found.click();
  await page.getByText('The service does not offer this to apps').waitFor();
  expect(await complaints()).toEqual([]);
});
