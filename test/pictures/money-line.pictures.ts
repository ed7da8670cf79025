import { expect, test } from 'vitest';
import { approve, admitAgent } from '#test/e2e/driver/agents.ts';
import { prepareBrowserSessions } from '#test/e2e/driver/browser/sessions.ts';
import { savePicture, themes } from './camera.ts';

const { startSession } = prepareBrowserSessions();

const sizes = [
  { width: 1280, height: 800 },
  { width: 900, height: 700 },
  // 1280 × 800 at 200 % zoom.
  { width: 640, height: 400 },
];

test.each(themes)('the money line, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme, demoCampaigns: 400 });
  const { page } = app;
  await app.until('first row');
  const line = page.getByRole('region', { name: 'Money at a glance' });
  await line.getByText('of 400 campaigns').waitFor();
  const agent = await admitAgent(app);
  const [first = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
  await second.change(first, { enable_budget: 1, d_revenue: 40, t_revenue: 0 });
  await second.change(other, { enable_budget: 1, d_revenue: 40, t_revenue: 0 });
  const raised = agent.change(first, { d_revenue: 60 });
  const [id = ''] = await app.waiting(1);
  const asking = await app.bringUp(id);
  await approve(asking);
  await asking.ends('Verified');
  await raised;
  await asking.close();
  await app.turnTo();
  await app.propose(other, { field: 'd_revenue', from: 40, to: 52.5 });
  await line.getByText('+$12.50 per day').waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `money-line-${theme}-${size.width}`);
  }
  await app.propose(first, { field: 'enable_budget', from: 1, to: 0 });
  await line.getByText('1 without a limit').waitFor();
  await line.getByRole('link', { name: /^At risk today/ }).click();
  await line.getByText('400 campaigns, read').waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.waitForTimeout(250);
    await savePicture(page, `money-line-unlimited-${theme}-${size.width}`);
  }
  expect(await page.getByRole('grid', { name: 'Campaigns' }).isVisible()).toBe(true);
});
