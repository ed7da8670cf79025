import { expect, test } from 'vitest';
import { approve } from '../../driver/agents.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { waitingFor } from '../../driver/app.ts';

const { startSession } = prepareBrowserSessions();

test('the Decisions page shows what the user approved, what was denied and why, and what was undone later', async () => {
  const { app, second, complaints } = await startSession({ demoCampaigns: 12 });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Ledger');
  await page.getByRole('link', { name: 'Your decisions' }).click();
  await page.getByText('No decisions in the last 30 days').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  const [raised = 0, denied = 0] = await second.cids({ status: 1, perPage: 2 });
  const bids = new Map<number, string>();
  for (const cid of [raised, denied]) bids.set(cid, String((await second.read(cid))['payout']));
  await app.propose(raised, {
    field: 'name',
    from: String((await second.read(raised))['name']),
    to: 'Renamed',
  });
  const first = await app.bringUp(await waitingFor(app, raised));
  await approve(first);
  await first.ends('Verified');
  const from = Number(bids.get(denied));
  await app.propose(denied, { field: 'payout', from, to: Number((from * 2.5).toFixed(4)) });
  const raise = await app.bringUp(await waitingFor(app, denied));
  await raise.pressDeny();
  await raise.ends('Denied');

  await app.turnTo();
  await page.getByRole('button', { name: 'Count again' }).click();
  const asked = page.getByRole('table', { name: 'Changes by who asked for them' });
  await asked.getByRole('row', { name: 'You 1 1' }).waitFor();
  const subjects = page.getByRole('table', { name: 'Changes by what they warned of' });
  await subjects.getByRole('row', { name: 'Bids, budgets and money at risk 1 0' }).waitFor();
  await page.getByRole('region', { name: 'Taken back later' }).getByText('None').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  const [{ id }] = (await changesOf(app.ask('campaigns.changes', { cid: raised }))) as [{ id: string }];
  const { id: undo } = (await app.ask('proposals.undo', { id })) as { id: string };
  const back = await app.bringUp(undo);
  await approve(back);
  await back.ends('Verified');
  await app.turnTo();
  await page.getByRole('button', { name: 'Count again' }).click();
  const takenBack = page.getByRole('table', { name: 'Approved decisions that were taken back later' });
  await takenBack.getByRole('row', { name: /^Rename .* Undone$/ }).waitFor();

  await page.getByRole('button', { name: '7 days' }).click();
  await page.getByText('3 decisions').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('your decisions');
  await page.getByRole('option', { name: 'Your decisions' }).waitFor();
  expect(await complaints()).toEqual([]);
});

async function changesOf(answer: Promise<unknown>): Promise<unknown[]> {
  return ((await answer) as { items: unknown[] }).items;
}
