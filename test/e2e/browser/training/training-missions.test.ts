import { expect, test } from 'vitest';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { hurried, trainingDriver } from '../../driver/training.ts';

const { startSession } = prepareBrowserSessions();

/** Two good changes and a bad one between them. */
const training = { planMission: hurried(smallPlan()), demoCampaigns: 40 };

interface Trainee {
  name: string;
  colorScheme: 'light' | 'dark';
  answer: (says: string | null) => 'approve' | 'deny';
  points: string;
  sentence: string;
  verdict: string;
  progress: string;
}

const trainees: Trainee[] = [
  {
    name: 'who looks',
    colorScheme: 'light',
    answer: (says) => (says === 'Says bad.' ? 'deny' : 'approve'),
    points: '100',
    sentence: 'You caught the fault, and stopped no good change.',
    verdict: 'Caught',
    progress: '1 of 1',
  },
  {
    name: 'who approves everything',
    colorScheme: 'dark',
    answer: () => 'approve',
    points: '0',
    sentence: 'You caught 0 of 1 fault, and stopped no good change.',
    verdict: 'Missed',
    progress: '0 of 1',
  },
];

test.each(trainees)(
  'a trainee $name plays a mission from its briefing to its debriefing, in $colorScheme',
  async ({ colorScheme, answer, points, sentence, verdict, progress }) => {
    const { startTraining, app, complaints } = await startSession({
      colorScheme,
      demoCampaigns: 20,
      training,
    });
    const trainingApp = await startTraining();
    const window = trainingDriver(trainingApp);
    const { page } = window;
    const found: Record<string, string[]> = {};
    await window.heading('Who is training?').waitFor();
    found['who trains'] = await axeFaults(page);
    await window.train('Mia Keller');
    expect(await page.title()).toBe('Training — Countersign');
    await page.getByRole('region', { name: 'First mission' }).waitFor();
    expect(await page.getByText('Recommended').count()).toBe(0);
    found['missions'] = await axeFaults(page);

    await window.start('Bids');
    const briefing = page.getByRole('article', { name: 'Briefing' });
    expect(await briefing.getByRole('listitem').allInnerTexts()).toEqual(['One.', 'Two.', 'Three.']);
    found['briefing'] = await axeFaults(page);
    await window.begin();
    const bar = page.getByRole('region', { name: 'Mission' });
    await bar.getByText('0 of 3 decided').waitFor();
    await page.getByRole('button', { name: 'Review change' }).waitFor();
    found['running'] = await axeFaults(page);
    await page.getByRole('button', { name: 'Briefing' }).click();
    const again = page.getByRole('dialog', { name: 'Briefing: Bids' });
    expect(await again.getByRole('listitem').allInnerTexts()).toEqual(['One.', 'Two.', 'Three.']);
    await page.keyboard.press('Escape');
    await again.waitFor({ state: 'detached' });
    await window.decide(3, answer);

    await window.heading('Debriefing: Bids').waitFor();
    const score = page.getByRole('region', { name: 'Score' });
    await score.getByText(`${points} of 100 points`).waitFor();
    await score.getByText(sentence).waitFor();
    const bad = page.getByRole('listitem').filter({ hasText: 'Twice the bid.' });
    await bad.getByText(verdict, { exact: true }).waitFor();
    await bad.getByText('The headline.').waitFor();
    found['debriefing'] = await axeFaults(page);

    await page.getByRole('button', { name: 'Back to training' }).click();
    await window.mission('Bids').getByText(`Best ${points} of 100 · 1 attempt`).waitFor();
    expect(await page.getByRole('region', { name: 'First mission' }).count()).toBe(0);
    await window.mission('Budget limits').getByText('Recommended').waitFor();
    await window.goTo('Progress');
    await page.getByRole('row', { name: new RegExp(`^Wrong bid ${progress}`) }).waitFor();
    found['progress'] = await axeFaults(page);
    await page.getByRole('table').getByRole('link', { name: 'Bids' }).click();
    await page.getByText(sentence).waitFor();
    found['earlier attempt'] = await axeFaults(page);

    // Nothing of it has reached the real core.
    expect(await app.ask('proposals.list', { which: 'past', before: null, limit: 10 })).toMatchObject({
      total: 0,
    });
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
    expect(await complaints()).toEqual([]);
  },
);

test('a mission that is left goes on where it was, and another variant can be tried after it', async () => {
  const { startTraining } = await startSession({ demoCampaigns: 20, training });
  const window = trainingDriver(await startTraining());
  const { page } = window;
  await window.train('Mia Keller');
  await window.start('Bids');
  await window.begin();
  await window.decide(1, () => 'approve');
  await page.getByText('1 of 3 decided').waitFor();

  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('“Bids” is not finished.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('1 of 3 decided').waitFor();
  await page.reload();
  await page.getByText('1 of 3 decided').waitFor();

  await page.getByRole('button', { name: 'Finish mission' }).click();
  const question = page.getByRole('dialog', { name: 'Finish now?' });
  await question.getByText('2 changes are not decided.').waitFor();
  await question.getByRole('button', { name: 'Finish mission' }).click();
  await window.heading('Debriefing: Bids').waitFor();
  expect(await page.getByText('Undecided', { exact: true }).count()).toBe(3);
  await page.getByRole('button', { name: 'Try another variant' }).click();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('“Bids” is not finished.').waitFor({ state: 'detached' });
});
