import { expect, test } from 'vitest';
import type { MoneyToday } from '#shared/app-api/index.ts';
import { approve, admitAgent } from '../driver/agents.ts';
import type { AppDriver } from '../driver/app.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

const lineOf = ({ page }: AppDriver) => page.getByRole('region', { name: 'Money at a glance' });

test('on every page one line shows the money at risk, waiting and added by agents, and the keyboard opens the list for each amount', async () => {
  const { app, second, complaints } = await startSession({ demoCampaigns: 240 });
  const { page } = app;
  const { keyboard } = page;
  const line = lineOf(app);
  const open = async (name: RegExp): Promise<void> => {
    await line.getByRole('link', { name }).focus();
    await keyboard.press('Enter');
  };
  await app.until('first row');
  await line.getByText('200 of 240 campaigns, read just now').waitFor();
  const agent = await admitAgent(app);
  const [first = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
  for (const cid of [first, other])
    await second.change(cid, { enable_budget: 1, d_revenue: 40, t_revenue: 0, enable_time: 0 });

  const raised = agent.change(first, { d_revenue: 60 });
  const [id = ''] = await app.waiting(1);
  await line.getByRole('link', { name: 'Waiting +$20.00 per day' }).waitFor();
  const asking = await app.bringUp(id);
  await approve(asking);
  await asking.ends('Verified');
  await raised;
  await asking.close();
  await app.turnTo();
  await line.getByRole('link', { name: 'Waiting +$0.00 per day' }).waitFor();
  await line.getByRole('link', { name: 'Agents today +$20.00 per day' }).waitFor();
  await app.propose(other, { field: 'enable_budget', from: 1, to: 0 });
  await line.getByRole('link', { name: 'Waiting 1 without a limit' }).waitFor();

  await open(/^Agents today/);
  await page
    .getByRole('region', { name: `Campaign ${first}` })
    .getByText('1 change by Test agent')
    .waitFor();
  const found = { ledger: await axeFaults(page) };
  await page.getByRole('button', { name: 'Changes', exact: true }).click();
  await page.getByRole('article').first().waitFor();
  await open(/^Agents today/);
  await page.getByRole('region', { name: `Campaign ${first}` }).waitFor();
  await open(/^Waiting/);
  await page
    .getByRole('link', { name: /budget/i })
    .first()
    .waitFor();
  Object.assign(found, { proposals: await axeFaults(page) });

  await open(/^Without a limit/);
  const { campaigns } = (await app.ask('money.today', {})) as MoneyToday;
  await page.getByRole('button', { name: 'Change filter At risk today without a limit' }).waitFor();
  await line.getByText('240 campaigns, read just now').waitFor();
  const complete = ((await app.ask('money.today', {})) as MoneyToday).campaigns;
  expect(complete?.unlimited).toBeGreaterThanOrEqual(campaigns?.unlimited ?? 0);
  await page.getByText(`${complete?.unlimited} of 240 campaigns`).waitFor();
  await open(/^At risk today/);
  await page.getByRole('button', { name: 'Change filter At risk today', exact: true }).waitFor();
  Object.assign(found, { campaigns: await axeFaults(page) });
  expect(found).toEqual({ ledger: [], proposals: [], campaigns: [] });
  expect(await complaints()).toEqual([]);
});

test('amounts of campaigns that were never read are not available, and older amounts show their age', async () => {
  const { app, faults } = await startSession({
    demoCampaigns: 24,
    faults: Array.from({ length: 200 }, () => ({
      kind: 'answer' as const,
      status: 500,
      method: 'GET',
      path: '/login/campaigns/campaigns',
    })),
  });
  const { page } = app;
  const line = lineOf(app);
  await line.getByRole('link', { name: 'At risk today not available' }).waitFor();
  await line.getByRole('link', { name: 'Waiting +$0.00 per day' }).waitFor();
  expect(await line.getByRole('link', { name: /^Without a limit/ }).count()).toBe(0);
  while (faults.take('answer', { method: 'GET', path: '/login/campaigns/campaigns' }) !== undefined);
  await page.getByRole('button', { name: 'Try again' }).click();
  await line.getByText('24 campaigns, read just now').waitFor();
  await page.clock.setSystemTime(Date.now() + 4 * 60_000 + 5_000);
  await line.getByText('24 campaigns, read 4 min ago').waitFor();
});
