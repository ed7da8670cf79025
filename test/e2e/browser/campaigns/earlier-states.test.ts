import { expect, test } from 'vitest';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { approve } from '../../driver/agents.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { countPresses } from '../../driver/presses.ts';

const { startSession } = prepareBrowserSessions();

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const bedtimeMs = 23.5 * hourMs;

/**
 * The last evening, and the next morning, at which the evening's sign-in is still valid. The pages keep the machine's clock;
 * for them a change of an earlier evening would have expired.
 */
const eveningMs = Math.floor((Date.now() - bedtimeMs) / dayMs) * dayMs + bedtimeMs;
const nightMs = 9 * hourMs;

test('the user restores yesterday’s state of a campaign as drafts with two presses and an approval', async () => {
  const clock = createManualClock(eveningMs);
  const { app, second, complaints } = await startSession({ clock });
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const yesterday = await second.read(cid);
  const panel = await app.open(cid);
  await app.edit(cid, 'Name', 'A name too many');
  await app.edit(cid, 'Bid', '+10%');
  await panel.getByText('2 changes', { exact: true }).last().waitFor();
  const first = await app.review(cid);
  await approve(first, clock);
  await first.ends('Verified');
  await first.close();
  expect(await second.read(cid)).toMatchObject({ name: 'A name too many' });

  clock.advance(nightMs);
  await app.turnTo();
  await panel.getByRole('tab', { name: 'Earlier states' }).click();
  const beside = panel.getByRole('tabpanel', { name: 'Earlier states' });
  await beside.getByText('2 fields differ: Name, Bid').waitFor();
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/identity`);
  await app.panel(cid).getByRole('tab', { name: 'Earlier states' }).click();
  const states = app.panel(cid).getByRole('tabpanel', { name: 'Earlier states' });
  await states.getByText('2 fields differ: Name, Bid').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const presses = await countPresses(page);
  await states.getByRole('button', { name: /^Restore as draft/ }).click();
  await states.getByText('2 fields restored as a draft').waitFor();
  await app.panel(cid).getByText('2 changes', { exact: true }).last().waitFor();
  expect(await second.read(cid)).toMatchObject({ name: 'A name too many' });

  const restoring = await app.review(cid);
  await approve(restoring, clock);
  await restoring.ends('Verified');
  expect(await presses()).toBe(2);
  expect(await second.read(cid)).toEqual(yesterday);
  expect(await complaints()).toEqual([]);
});
