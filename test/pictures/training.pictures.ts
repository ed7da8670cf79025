import { test } from 'vitest';
import type { Page } from 'playwright';
import type { MissionStep } from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { prepareBrowserSessions } from '#test/e2e/driver/browser/sessions.ts';
import { hurried, type TrainingDriver, trainingDriver } from '#test/e2e/driver/training.ts';
import { pageSizes, savePicture, takeConfirmation, takePage, themes } from './camera.ts';

const { startSession } = prepareBrowserSessions();

/** The real mission plans from a fixed seed, with an agent that barely waits. `steps` returns the steps of the last plan. */
function planned(): { planMission: typeof planMission; steps(): readonly MissionStep[] } {
  let steps: readonly MissionStep[] = [];
  const plan = hurried((mission, _seed, workspace) => planMission(mission, 7, workspace));
  return {
    planMission(...args) {
      const made = plan(...args);
      ({ steps } = made);
      return made;
    },
    steps: () => steps,
  };
}

/** Waits until the agent has this number of undecided proposals. */
async function proposalsIn({ page }: TrainingDriver, count: number): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByText(String(count), { exact: true })
    .waitFor();
}

const toTheEnd = (page: Page, region: string): Promise<void> =>
  page.getByRole('region', { name: region }).evaluate((found) => found.scrollTo(0, found.scrollHeight));

test.each(themes)('a training mission, from the trainee’s name to the debriefing, %s', async (theme) => {
  const plans = planned();
  const session = await startSession({
    colorScheme: theme,
    demoCampaigns: 20,
    training: { planMission: plans.planMission, demoCampaigns: 80 },
  });
  const app = await session.startTraining();
  const window = trainingDriver(app);
  const { page } = window;
  const take = (name: string): Promise<void> => takePage(page, `training-${name}`, theme);
  await window.heading('Who is training?').waitFor();
  await take('who');
  await window.train('Mia Keller');
  await take('missions-first');
  await page.getByRole('button', { name: 'Start first mission' }).click();
  await page.getByRole('article', { name: 'Briefing' }).waitFor();
  await take('briefing');

  await window.begin();
  await proposalsIn(window, plans.steps().length);
  await take('running');
  await app.goTo('Campaigns');
  await app.until('first row');
  await take('running-campaigns');
  await app.goTo('Proposals');

  const id = (await app.waiting(plans.steps().length)).at(-1) ?? '';
  const confirmation = await app.bringUp(id);
  await takeConfirmation(confirmation.page, 'training-confirm', theme);
  await confirmation.page.setViewportSize(pageSizes[0]);

  // One fault is caught and the others are missed; one good change is denied.
  const faults = plans.steps().filter(({ fault }) => fault !== null);
  const good = plans.steps().filter(({ fault }) => fault === null);
  const denied = new Set([faults[0]?.says, good.at(-1)?.says]);
  const answer = (says: string | null) => (denied.has(says ?? undefined) ? 'deny' : 'approve');
  await window.decide(2, answer);
  await page.getByText('2 of ').waitFor();
  await page.getByRole('button', { name: 'Finish mission' }).click();
  await page.getByRole('dialog').waitFor();
  await take('finish-question');
  await page.getByRole('button', { name: 'Keep deciding' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('“Bids” is not finished.').waitFor();
  await take('left');
  await page.getByRole('button', { name: 'Start Hours', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await take('left-question');
  await page.getByRole('button', { name: 'Resume mission' }).click();
  await page.getByText('2 of ').waitFor();
  await window.decide(plans.steps().length - 2, answer);
  await window.heading('Debriefing: Bids').waitFor();
  await page.getByRole('list', { name: 'Decisions' }).waitFor();
  await take('debriefing');
  await toTheEnd(page, 'Debriefing: Bids');
  await take('debriefing-end');
  await page.getByRole('button', { name: 'Back to training' }).click();
  await window.goTo('Progress');
  await take('progress-first');
});

test.each(themes)('a timed training mission while a real change waits, %s', async (theme) => {
  const plans = planned();
  const { app, second, startTraining } = await startSession({
    colorScheme: theme,
    demoCampaigns: 20,
    training: { planMission: plans.planMission, demoCampaigns: 80 },
  });
  const window = trainingDriver(await startTraining());
  const { page } = window;
  await window.train('Mia Keller');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  await app.propose(cid, { field: 'name', from: String(name), to: 'A real change' });
  await page.getByRole('button', { name: '1 real change waits' }).waitFor();
  await takePage(page, 'training-real-work', theme);
  await window.start('Rush hour');
  await window.begin();
  await proposalsIn(window, plans.steps().length);
  await takePage(page, 'training-rush-hour', theme);
  await page.keyboard.press('Control+Shift+h');
  await page.getByText('Real agents frozen').waitFor();
  await takePage(page, 'training-frozen', theme);
  for (const width of [900, 640]) {
    await page.setViewportSize({ width, height: 720 });
    await page.waitForTimeout(250);
    await savePicture(page, `training-rush-hour-${theme}-${width}`);
  }
});
