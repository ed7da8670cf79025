import { expect, test } from 'vitest';
import { textOf } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../../driver/agents.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('an agent’s tenfold budget has to be typed, an outdated change is not sent, and the proposal of an agent that disconnects is withdrawn', async () => {
  const { app, second } = await startSession();
  const agent = await admitAgent(app);
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await second.change(cid, { enable_budget: 1, d_revenue: 50, t_revenue: 5000 });

  const budget = agent.change(cid, { d_revenue: 5000 });
  const [first = ''] = await app.waiting(1);
  const foolish = await app.bringUp(first);
  await foolish.armed();
  await foolish.page.getByRole('main').getByRole('textbox').fill('50');
  await expect.poll(() => foolish.approve.getAttribute('aria-disabled')).toBe('true');
  const before = foolish.decisions();
  await foolish.approve.click({ force: true });
  expect(foolish.decisions()).toBe(before);
  await foolish.pressDeny();
  expect((await budget).isError).toBe(true);

  const stale = agent.change(cid, { d_revenue: 60 });
  const [next = ''] = await app.waiting(1);
  const moved = await app.bringUp(next);
  await second.change(cid, { name: 'Renamed by somebody else' });
  await moved.pressApprove();
  const answer = await stale;
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toMatch(/prepare/i);
  expect((await second.read(cid))['d_revenue']).toBe(50);

  const gone = new AbortController();
  const departing = agent.change(cid, { d_revenue: 70 }, { signal: gone.signal });
  departing.catch(() => {});
  const [last = ''] = await app.waiting(1);
  const left = await app.bringUp(last);
  await left.armed();
  gone.abort();
  await left.isOver();
  await app.waiting(0);
  expect((await second.read(cid))['d_revenue']).toBe(50);
});
