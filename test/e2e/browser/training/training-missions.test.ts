import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { hurried, trainingDriver } from '../../driver/training.ts';

const { startSession } = prepareBrowserSessions();

/** Two good changes with a bad change between them. */
const training = { planMission: hurried(smallPlan()), demoCampaigns: 40 };

test('an attentive trainee plays a mission from its briefing to its debriefing and checks the result file', async () => {
  const { startTraining, app, complaints } = await startSession({ demoCampaigns: 20, training });
  const window = trainingDriver(await startTraining());
  const { page } = window;
  const found: Record<string, string[]> = {};
  await window.heading('Who is training?').waitFor();
  found['who trains'] = await axeFaults(page);
  await window.train('Mia Keller');
  await expect.poll(() => page.title()).toBe('Training — Countersign');
  await page.getByRole('region', { name: 'First mission' }).waitFor();
  expect(await page.getByText('Recommended').count()).toBe(0);
  found['missions'] = await axeFaults(page);

  await window.start('Bids');
  const briefing = page.getByRole('article', { name: 'Briefing' });
  await expect.poll(() => briefing.getByRole('listitem').allInnerTexts()).toEqual(['One.', 'Two.', 'Three.']);
  found['briefing'] = await axeFaults(page);
  await window.begin();
  const bar = page.getByRole('region', { name: 'Mission' });
  await bar.getByText('0 of 3 decided').waitFor();
  await page.getByRole('button', { name: 'Review change' }).waitFor();
  found['running'] = await axeFaults(page);
  await page.getByRole('button', { name: 'Briefing' }).click();
  const again = page.getByRole('dialog', { name: 'Briefing: Bids' });
  await expect.poll(() => again.getByRole('listitem').allInnerTexts()).toEqual(['One.', 'Two.', 'Three.']);
  await page.keyboard.press('Escape');
  await again.waitFor({ state: 'detached' });
  await window.decide(3, (says) => (says === 'Says bad.' ? 'deny' : 'approve'));

  const sentence = 'You caught the fault and stopped no good change.';
  await window.heading('Debriefing: Bids').waitFor();
  const score = page.getByRole('region', { name: 'Score' });
  await score.getByText('100 of 100 points').waitFor();
  await score.getByText(sentence).waitFor();
  const bad = page.getByRole('listitem').filter({ hasText: 'Twice the bid.' });
  await bad.getByText('Caught', { exact: true }).waitFor();
  await bad.getByText('The headline.').waitFor();
  found['debriefing'] = await axeFaults(page);

  await page.getByRole('button', { name: 'Back to training' }).click();
  await window.mission('Bids').getByText('Best 100 of 100 · 1 attempt').waitFor();
  expect(await page.getByRole('region', { name: 'First mission' }).count()).toBe(0);
  await window.mission('Budget limits').getByText('Recommended').waitFor();
  await window.goTo('Progress');
  await page.getByRole('row', { name: /^Wrong bid 1 of 1/ }).waitFor();
  found['progress'] = await axeFaults(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save result file…' }).click();
  const buffer = readFileSync(await (await download).path());
  await page.getByRole('table').getByRole('link', { name: 'Bids' }).click();
  await page.getByText(sentence).waitFor();
  found['earlier attempt'] = await axeFaults(page);

  await window.goTo('Check results');
  found['no results'] = await axeFaults(page);
  const edited = Buffer.from(buffer.toString('utf8').replace('Mia Keller', 'Jonas Weber'));
  const mimeType = 'application/json';
  await page.getByLabel('Result files').setInputFiles([
    { name: 'mia.json', mimeType, buffer },
    { name: 'edited.json', mimeType, buffer: edited },
  ]);
  await page.getByText('edited.json is not intact.').waitFor();
  await page.getByText('1 of 2 files intact').waitFor();
  const table = page.getByRole('table');
  await table.getByRole('columnheader', { name: /^Mia Keller/ }).waitFor();
  await table.getByText('1 of 1 caught').waitFor();
  found['results'] = await axeFaults(page);

  // The real core has no proposal of the mission.
  expect(await app.ask('proposals.list', { which: 'past', before: null, limit: 10 })).toMatchObject({
    total: 0,
  });
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
  expect(await complaints()).toEqual([]);
});

test('an interrupted mission can be resumed, another variant can be played afterwards, and real work stays available', async () => {
  const { app, startTraining, second } = await startSession({ demoCampaigns: 20, training });
  const trainingApp = await startTraining();
  const window = trainingDriver(trainingApp);
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

  await trainingApp.waiting(2);
  await page.getByRole('button', { name: 'Finish mission' }).click();
  const question = page.getByRole('dialog', { name: 'Finish now?' });
  await question.getByText('2 changes are not decided or not proposed yet.').waitFor();
  await question.getByRole('button', { name: 'Finish mission' }).click();
  await window.heading('Debriefing: Bids').waitFor();
  await expect.poll(() => page.getByText('Undecided', { exact: true }).count()).toBe(3);
  await page.getByRole('button', { name: 'Try another variant' }).click();
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('“Bids” is not finished.').waitFor({ state: 'detached' });

  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  await app.propose(cid, { field: 'name', from: String(name), to: 'A real change' });
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: '1 real change waits' }).click();
  const confirmation = await opened;
  await confirmation.getByRole('heading', { level: 1 }).waitFor();
  const words = await confirmation.locator('body').innerText();
  expect(words).toContain('Demo');
  expect(words).not.toContain('Training');
  await confirmation.close();

  await page.keyboard.press('Control+Shift+h');
  const frozen = async (): Promise<unknown> =>
    ((await app.ask('agents.get', {})) as { frozenSinceMs: number | null }).frozenSinceMs;
  await expect.poll(frozen).toBeTypeOf('number');
  await page.getByText('Real agents frozen').waitFor();
});
