import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright';
import { lessonIds } from '#shared/training/index.ts';
import { lessons } from '#shared/training/lessons/index.ts';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { hurried, trainingDriver } from '../../driver/training.ts';

const { startSession } = prepareBrowserSessions();

const training = { planMission: hurried(smallPlan()), demoCampaigns: 40 };

/** Returns the control panel with all of its texts. */
function panelOf(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Control panel' });
}

test('free practice changes the service’s clock, balance and faults, which the editor and reports follow, and returns to a saved state', async () => {
  const { startTraining, complaints } = await startSession({ demoCampaigns: 20, training });
  const app = await startTraining();
  const window = trainingDriver(app);
  const { page } = window;
  await window.train('Mia Keller');
  await page.getByRole('button', { name: 'Start free practice' }).click();
  const panel = panelOf(page);
  await app.until('first row');
  await panel.getByText('As on this computer').waitFor();
  const found = { fresh: await axeFaults(page), used: [] as string[] };

  await panel.getByLabel('Name of this state').fill('Before the week');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('button', { name: 'Return to Before the week' }).waitFor();
  await panel.getByRole('button', { name: '+1 week' }).click();
  await panel.getByText('7 d ahead of this computer').waitFor();
  await panel.getByLabel('New balance in dollars').fill('12.50');
  await panel.getByRole('button', { name: 'Set', exact: true }).click();
  await panel.getByText('$12.50').waitFor();
  await panel.getByRole('checkbox', { name: 'Tools down' }).click();
  await panel.getByText('1 on').waitFor();
  await panel.getByRole('checkbox', { name: 'Tools down' }).click();
  await panel.getByText('1 on').waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Edit a running campaign now' }).click();
  const someoneElse = panel.getByRole('region', { name: 'Someone else' });
  await someoneElse.getByRole('status').waitFor();
  // The open campaign can be selected too.
  const row = page.getByRole('row').nth(2);
  const said = (): Promise<string> => someoneElse.getByRole('status').innerText();
  const before = await said();
  await row.getByRole('gridcell').nth(2).click();
  await someoneElse.getByRole('button', { name: /^Edit campaign \d+ now$/ }).click();
  await expect.poll(said).not.toBe(before);
  await expect.poll(() => row.innerText()).toContain(/“(.*)”/su.exec(await said())?.[1]);
  await panel.getByRole('radio', { name: 'Hasty' }).click();
  await panel.getByRole('button', { name: 'Start agent' }).click();
  await panel.getByText('At work').waitFor();
  await panel.getByRole('button', { name: 'Stop this agent' }).click();
  await panel.getByRole('button', { name: 'Start agent' }).waitFor();
  found.used = await axeFaults(page);

  await panel.getByRole('button', { name: 'Return to Before the week' }).click();
  await page.getByRole('button', { name: 'Return', exact: true }).last().click();
  await panelOf(page).getByText('As on this computer').waitFor();
  expect(await panelOf(page).getByText('$12.50').count()).toBe(0);
  const cid = await app.cidInRow(1);
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/schedule`);
  const truth = page.getByRole('region', { name: 'The next seven days' });
  const firstDay = (): Promise<string> =>
    truth.getByRole('table').first().getByRole('rowheader').first().innerText();
  const dayIn = (days: number): string =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      Date.now() + days * 86_400_000,
    );
  await expect.poll(firstDay).toContain(dayIn(0));
  await panelOf(page).getByRole('button', { name: '+1 week' }).click();
  await expect.poll(firstDay).toContain(dayIn(7));
  await page.evaluate(() => (location.hash = '#/reports'));
  await page.getByRole('button', { name: new RegExp(`^Days: .*${dayIn(6)}`) }).waitFor();
  // The screen of the first start does not exist in training, so its guide must not link to it.
  await app.goTo('Guide');
  await page.getByRole('heading', { name: 'Your first change', level: 2 }).waitFor();
  expect(await page.getByRole('button', { name: 'Getting started' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Control panel' }).click();
  await panelOf(page).waitFor({ state: 'detached' });
  expect(found).toEqual({ fresh: [], used: [] });
  expect(await complaints()).toEqual([]);
});

/** Each new heading takes the focus, which a key that comes earlier must not depend on. */
const untilFocused = (heading: Locator): Promise<void> =>
  heading.and(heading.page().locator(':focus')).waitFor();

test('a trainee reads and answers every lesson with the keyboard alone', async () => {
  const { startTraining, complaints } = await startSession({
    demoCampaigns: 20,
    colorScheme: 'dark',
    training,
  });
  const window = trainingDriver(await startTraining());
  const { page } = window;
  await window.train('Mia Keller');
  await window.goTo('Lessons');
  const found: string[] = [];
  for (const id of lessonIds) {
    const { title, steps, questions } = lessons[id];
    await page.getByRole('link', { name: title }).focus();
    await page.keyboard.press('Enter');
    for (const step of steps) {
      await untilFocused(page.getByRole('heading', { name: step.title, level: 2 }));
      if (step.figure) await page.getByRole('figure').and(page.locator('[aria-busy=false]')).waitFor();
      if (step === steps[1]) found.push(...(await axeFaults(page)));
      await page.getByRole('button', { name: 'Next' }).focus();
      await page.keyboard.press('Enter');
    }
    for (const { question, answers } of questions) {
      await untilFocused(page.getByRole('heading', { name: question, level: 2 }));
      for (const { text, isRight, feedback } of answers.toSorted((one) => (one.isRight ? 1 : -1))) {
        await page.getByRole('button', { name: text, exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('status').filter({ hasText: feedback }).waitFor();
        await expect
          .poll(() => page.getByRole('button', { name: /^(Next|Finish)$/ }).isEnabled())
          .toBe(isRight);
      }
      await page.getByRole('button', { name: /^(Next|Finish)$/ }).focus();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { name: 'Lesson done' }).waitFor();
    await page.getByRole('link', { name: 'All lessons' }).focus();
    await page.keyboard.press('Enter');
    await window.heading('Lessons').waitFor();
  }
  await page.getByText(`${lessonIds.length} of ${lessonIds.length} done`).waitFor();
  expect(found).toEqual([]);
  expect(await complaints()).toEqual([]);
});
