import { test } from 'vitest';
import { lessons } from '#shared/training/lessons/index.ts';
import { prepareBrowserSessions } from '#test/e2e/driver/browser/sessions.ts';
import { trainingDriver } from '#test/e2e/driver/training.ts';
import { takePage, themes } from './camera.ts';
import { folderWithHistory, resultFileOf } from './training-history.ts';

const { startSession } = prepareBrowserSessions();

const training = { demoCampaigns: 40 };

test.each(themes)('lessons, progress and results of a trainee, %s', async (theme) => {
  const dataFolder = await folderWithHistory('Mia Keller');
  const { startTraining } = await startSession({
    colorScheme: theme,
    demoCampaigns: 20,
    dataFolder,
    training,
  });
  const window = trainingDriver(await startTraining());
  const { page } = window;
  const take = (name: string): Promise<void> => takePage(page, `training-${name}`, theme);
  await window.heading('Missions').waitFor();
  await take('missions');
  await page.getByRole('heading', { name: 'Free practice' }).scrollIntoViewIfNeeded();
  await take('missions-end');
  await page.getByTitle('Change who trains').click();
  await page.getByRole('dialog').waitFor();
  await take('name-dialog');
  await page.keyboard.press('Escape');

  await window.goTo('Progress');
  await take('progress');
  await page.getByRole('heading', { name: 'Attempts' }).scrollIntoViewIfNeeded();
  await take('progress-attempts');
  await page.getByRole('button', { name: 'Save result file…' }).click();
  await page.getByText(/Saved as /).waitFor();
  await page.getByText(/Saved as /).scrollIntoViewIfNeeded();
  await take('progress-saved');

  await window.goTo('Check results');
  await take('results-none');
  const files = await Promise.all(
    [
      ['Mia Keller', 4],
      ['Jonas Weber', 1],
      ['Ana Lúcia Ferreira', 7],
    ].map(async ([name = '', skill = 0]) => [name, await resultFileOf(String(name), Number(skill))]),
  );
  const [[, mia = ''] = []] = files;
  await page.getByLabel('Result files').setInputFiles(
    [...files, ['edited', String(mia).replace('Mia Keller', 'Tom Braun')]].map(([name, text]) => ({
      name: `${String(name).toLowerCase().replaceAll(' ', '-')}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(String(text)),
    })),
  );
  await page.getByText('3 of 4 files intact').waitFor();
  await take('results');

  await window.goTo('Lessons');
  await take('lessons');
  const lesson = lessons['money-at-risk'];
  await page.getByRole('link', { name: lesson.title }).click();
  for (const [at, step] of lesson.steps.entries()) {
    await page.getByRole('heading', { name: step.title, level: 2 }).waitFor();
    if (step.figure) await page.getByRole('figure').and(page.locator('[aria-busy=false]')).waitFor();
    if (at < 2) await take(`lesson-${at + 1}`);
    await page.getByRole('button', { name: 'Next' }).click();
  }
  const [{ answers }] = lesson.questions;
  await page
    .getByRole('button', { name: answers.find(({ isRight }) => !isRight)?.text ?? '', exact: true })
    .click();
  await take('lesson-question');
  for (const { answers } of lesson.questions) {
    await page
      .getByRole('button', { name: answers.find(({ isRight }) => isRight)?.text ?? '', exact: true })
      .click();
    await page.getByRole('button', { name: /^(Next|Finish)$/ }).click();
  }
  await page.getByRole('heading', { name: 'Lesson done' }).waitFor();
  await take('lesson-done');
});

test.each(themes)('free practice with its control panel, %s', async (theme) => {
  const { startTraining } = await startSession({ colorScheme: theme, demoCampaigns: 20, training });
  const app = await startTraining();
  const window = trainingDriver(app);
  const { page } = window;
  await window.train('Mia Keller');
  await window.goTo('Progress');
  await takePage(page, 'training-progress-none', theme);
  await window.goTo('Missions');
  await page.getByRole('button', { name: 'Start free practice' }).click();
  await app.until('first row');
  const panel = page.getByRole('complementary', { name: 'Control panel' });
  await takePage(page, 'training-practice', theme);

  await panel.getByLabel('Name of this state').fill('Before the week');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('button', { name: 'Return to Before the week' }).waitFor();
  await panel.getByRole('button', { name: '+1 week' }).click();
  await panel.getByRole('checkbox', { name: 'Tools down' }).click();
  await panel.getByText('1 on').waitFor();
  await page.getByRole('row').nth(2).getByRole('gridcell').nth(2).click();
  await panel.getByRole('button', { name: /^Edit campaign \d+ now$/ }).click();
  await panel.getByRole('region', { name: 'Someone else' }).getByRole('status').waitFor();
  await takePage(page, 'training-practice-used', theme);
  await panel.getByRole('checkbox', { name: 'Tools down' }).click();
  await panel.getByRole('radio', { name: 'Hasty' }).click();
  await panel.getByRole('button', { name: 'Start agent' }).click();
  await panel.getByText('It says:').waitFor();
  await panel.evaluate((found) => found.scrollTo(0, found.scrollHeight));
  await takePage(page, 'training-practice-end', theme);
  await panel.getByRole('button', { name: 'Return to Before the week' }).click();
  await page.getByRole('dialog').waitFor();
  await takePage(page, 'training-practice-return', theme);
});
