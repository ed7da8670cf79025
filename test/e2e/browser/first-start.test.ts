import { expect, test } from 'vitest';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('a new data folder shows the welcome once over the list, and the palette finds it again', async () => {
  const session = await startSession({ demoCampaigns: 12, offersFirstStart: true });
  const { page } = session.app;
  const welcome = page.getByRole('dialog', { name: 'Welcome to Countersign' });
  await welcome.waitFor();
  // The screen appears after the first rows.
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(2);
  expect(await axeFaults(page)).toEqual([]);
  await welcome.getByText('Needs the desktop app.').waitFor();
  await welcome.getByRole('button', { name: 'Skip' }).click();
  await welcome.waitFor({ state: 'detached' });

  expect(await session.complaints()).toEqual([]);

  const again = await session.restartCore();
  await again.until('first row');
  await again.ask('session.status', {});
  expect(await again.ask('session.get', {})).not.toHaveProperty('isFirstStart');
  expect(await again.page.getByRole('dialog').count()).toBe(0);

  await again.page.keyboard.press('Control+k');
  await again.page.keyboard.type('getting started');
  await again.page.keyboard.press('Enter');
  await again.page.getByRole('button', { name: /^Connect an agent/ }).click();
  await again.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
});

test('the first mission leads with the keyboard alone from the name to its briefing, and exploring the demo leads to the list', async () => {
  const { app, context } = await startSession({
    demoCampaigns: 12,
    offersFirstStart: true,
    training: { demoCampaigns: 40 },
  });
  const { page } = app;
  await page.getByText('Find this again under Guide.').waitFor();
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: /^First mission/ }).click();
  const training = await opened;
  await training.getByRole('heading', { name: 'Who is training?' }).waitFor();
  await training.keyboard.type('Mia Keller');
  await training.keyboard.press('Enter');
  const next = training.getByRole('button', { name: 'Start first mission' });
  await expect.poll(() => next.evaluate((found) => found === document.activeElement)).toBe(true);
  expect(await training.getByText('Recommended').count()).toBe(0);
  await training.keyboard.press('Enter');
  await training.getByRole('heading', { name: 'Bids', level: 1 }).waitFor();
  await training.getByRole('article', { name: 'Briefing' }).waitFor();

  await app.goTo('Guide');
  await page.getByRole('button', { name: 'Getting started' }).click();
  await page.getByRole('button', { name: /^Explore the demo/ }).click();
  await app.until('first row');
  expect(await page.getByRole('dialog').count()).toBe(0);
});
