import { expect, test } from 'vitest';
import { approve, admitAgent } from '../../driver/agents.ts';
import type { AppDriver } from '../../driver/app.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

async function openNetEffect(app: AppDriver): Promise<void> {
  await app.goTo('Ledger');
  await app.page.getByRole('button', { name: 'Net effect of agents' }).click();
}

test('the net effect of agents is listed until its reversal is approved and verified, and stays empty after a reload', async () => {
  const { app, second, complaints } = await startSession({ demoCampaigns: 12 });
  await app.until('first row');
  const agent = await admitAgent(app);
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const renamed = agent.change(cid, { name: 'Of the agent' });
  const [id = ''] = await app.waiting(1);
  const first = await app.bringUp(id);
  await approve(first);
  await first.ends('Verified');
  await renamed;
  await first.close();

  await app.turnTo();
  await openNetEffect(app);
  const campaign = app.page.getByRole('region', { name: `Campaign ${cid}` });
  await campaign.getByText('1 change by Test agent').waitFor();
  const reverse = app.page.getByRole('button', { name: 'Reverse…' });
  const reversal = await app.confirmationFrom(reverse);
  expect(await reversal.title()).toMatch(/^Bring back what agents changed since .+: 1 change$/);
  await reversal.pressApprove();
  await reversal.ends('Done');
  await reversal.close();
  expect(await second.read(cid)).toEqual(before);

  const nothing = app.page.getByText('No changes of agents from this time.');
  await app.turnTo();
  await nothing.waitFor();
  expect(await campaign.count()).toBe(0);
  await app.page.reload();
  await openNetEffect(app);
  await nothing.waitFor();
  await expect.poll(() => reverse.isDisabled()).toBe(true);
  expect(await complaints()).toEqual([]);
});
