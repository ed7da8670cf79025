import type { Page, Route } from 'playwright';
import { expect, test } from 'vitest';
import type { TestAgent } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../../driver/agents.ts';
import { waitingFor } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import type { ConfirmationDriver } from '../../driver/confirmation.ts';
import { proposeRaises } from '../../driver/raises.ts';
import { pass, runningClock } from '../../driver/running-clock.ts';
import { prepareSessions, type Session } from '../../driver/session.ts';

const { startSession } = prepareSessions({ realFocus: true });

test('next, previous and later step through the waiting changes, and keys in a field, held keys and keys before arming do nothing', async () => {
  const { app, second } = await startSession({ demoCampaigns: 40 });
  await proposeRaises(app, second, 2);
  const list = { which: 'waiting', before: null, limit: 10, order: 'risk' };
  const { items } = (await app.ask('proposals.list', list)) as { items: { id: string }[] };
  const confirmation = await app.bringUp(items[0]?.id ?? '');
  const { page } = confirmation;
  const place = (words: string): Promise<void> => page.getByText(words, { exact: true }).waitFor();
  await confirmation.armed();
  await place('1 of 3');
  expect(await axeFaults(page)).toEqual([]);
  const reason = page.getByLabel('Reason for denying (optional)');
  await reason.pressSequentially('plan');
  await expect.poll(() => reason.inputValue()).toBe('plan');
  await confirmation.deny.focus();

  const arming = await confirmation.holdArming();
  await page.keyboard.press('n');
  await page.keyboard.down('l');
  await arming.release();
  // The key is held since before the buttons armed.
  await page.keyboard.down('l');
  await page.keyboard.up('l');
  await place('1 of 3');

  await page.keyboard.press('n');
  await place('2–3 of 3');
  await expect.poll(() => confirmation.focused('Deny').count()).toBe(1);
  await expect.poll(() => reason.inputValue()).toBe('');
  await confirmation.armed();
  await page.keyboard.press('s');
  await place('2 of 3');
  await confirmation.armed();
  await page.keyboard.press('p');
  await place('1 of 3');
  await confirmation.armed();
  await page.keyboard.press('l');
  await place('2 of 3');
  await confirmation.armed();
  await page.keyboard.press('t');
  await place('2–3 of 3');
  await confirmation.pressDeny('Not today');
  await page.getByRole('heading', { name: '1 change still awaits your approval' }).waitFor();
  await page.getByRole('button', { name: 'Review the remaining change' }).press('Enter');
  await confirmation.armed();
  await expect.poll(() => confirmation.title()).toContain('$0.300');
  expect(second.count('PUT', '')).toBe(3);
});

test('a refusal by the service is named in the strip of outcomes while the next change is read, comes first in the summary, and leaves the campaign as it was', async () => {
  const { app, second, faults } = await startSession({ demoCampaigns: 40 });
  const { equal, outlier } = await proposeRaises(app, second, 2);
  const confirmation = await app.bringUp(await waitingFor(app, outlier));
  const { page } = confirmation;
  const strip = page.getByRole('list', { name: 'Decided in this review' }).getByRole('listitem');
  faults.arm({ kind: 'answer', status: 422, path: String(outlier), method: 'PUT' });
  await confirmation.pressApprove();
  await page.getByRole('heading', { level: 1, name: /2 changes$/ }).waitFor();
  await strip.getByText('Not stored', { exact: true }).waitFor();
  await strip.getByText('Some fields are not valid.').waitFor();
  expect(await strip.getByRole('button').count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  // The outcome that arrived meanwhile neither disarms the next change nor decides it.
  await confirmation.pressApprove();
  await page.getByRole('heading', { name: 'You decided 3 changes' }).waitFor();
  await confirmation.ends('Done');
  await strip.first().getByText('Not stored', { exact: true }).waitFor();
  // The sign of the summary is not the one of a review in which everything was stored.
  await expect.poll(() => page.locator('h1 svg').getAttribute('class')).toMatch(/bad/u);
  expect((await second.read(outlier))['payout']).toBe(0.1);
  for (const cid of equal) expect((await second.read(cid))['payout']).toBe(0.11);
});

test('an agent withdraws the change on screen, also in the moment of its approval: nothing is decided, and the review continues by keyboard', async () => {
  const session = await startSession({ demoCampaigns: 40 });
  const { app, second } = session;
  const { agent, outlier, equal, cids } = await prepareReview(session);
  const calls = [new AbortController(), new AbortController()] as const;
  for (const [place, dailyBudget] of [44, 40].entries()) {
    const { signal } = calls[place]!;
    agent.change(cids[place]!, { d_revenue: dailyBudget }, { signal }).catch(() => {});
    await app.waiting(4 + place);
  }
  const confirmation = await app.bringUp(await waitingFor(app, outlier));
  const { page } = confirmation;
  const next = confirmation.focused('Next change');
  await confirmation.pressDeny();

  await expect.poll(() => confirmation.title()).toContain('$44.00');
  await confirmation.armed();
  await confirmation.approve.focus();
  await page.keyboard.down('Space');
  calls[0].abort();
  // Its call and its session may end in either order.
  await page
    .getByRole('heading', {
      name: /^The agent (left|cancelled its call) before a decision\. Nothing was sent\.$/,
    })
    .waitFor();
  await page.getByText('Ask the agent again if you still want the change.').waitFor();
  await page.keyboard.up('Space');
  await next.waitFor();
  expect(await confirmation.approve.or(confirmation.deny).count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);

  await page.keyboard.press('n');
  await expect.poll(() => confirmation.title()).toContain('$40.00');
  await confirmation.armed();
  // The page does not notice the end before the press.
  const looks = await holdLooks(page);
  calls[1].abort();
  await app.waiting(2);
  const refused = page.waitForResponse('**/confirmation/decide');
  await confirmation.approve.click();
  expect((await refused).status()).toBe(401);
  await looks.release();
  await page.getByText('Withdrawn', { exact: true }).waitFor();
  await next.waitFor();

  await endReview(confirmation);
  for (const cid of equal) expect((await second.read(cid))['payout']).toBe(0.11);
  for (const cid of cids) expect((await second.read(cid))['d_revenue']).toBe(20);
});

test('an emergency stop withdraws the change on screen: the review says why, and continues by keyboard with the pause and what else waits', async () => {
  const session = await startSession({ demoCampaigns: 40 });
  const { app, second } = session;
  const { agent, outlier, cids } = await prepareReview(session);
  const [cid = 0] = cids;
  agent.change(cid, { d_revenue: 40 }).catch(() => {});
  await app.waiting(4);
  const confirmation = await app.bringUp(await waitingFor(app, outlier));
  const { page } = confirmation;
  await confirmation.pressDeny();
  await expect.poll(() => confirmation.title()).toContain('$40.00');
  await confirmation.armed();

  await app.turnTo();
  const stop = await app.confirmationFrom(app.page.getByRole('button', { name: 'Emergency stop' }));
  const pause = await stop.title();
  expect(pause).toMatch(/^Pause \d+ running campaigns$/);
  await page.getByRole('heading', { name: 'Withdrawn: all agents are frozen. Nothing was sent.' }).waitFor();
  await page.getByText('The agent can propose it again when you let agents work again.').waitFor();
  expect(await confirmation.approve.or(confirmation.deny).count()).toBe(0);
  await page.bringToFront();
  await confirmation.focused('Next change').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: /2 changes$/ }).waitFor();
  await confirmation.armed();
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: pause }).waitFor();
  await confirmation.pressApprove();
  await page.getByRole('heading', { name: '2 changes still await your approval' }).waitFor();
  await confirmation.ends('Verified');
  await stop.isOver();
  expect(await second.read(cid)).toMatchObject({ d_revenue: 20, status: 3 });
});

/** Goes from a change that ended to the last two, which are equal, and approves them. */
async function endReview(confirmation: ConfirmationDriver): Promise<void> {
  const { page } = confirmation;
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /2 changes$/ }).waitFor();
  await confirmation.pressApprove();
  await page.getByRole('heading', { name: 'You decided 3 changes' }).waitFor();
  await confirmation.ends('Done');
}

test('a change that expires on screen, also in the moment of its approval, says so in its place: nothing is decided, and the review continues by keyboard', async () => {
  const clock = runningClock();
  const { app, second } = await startSession({ demoCampaigns: 40, clock });
  await app.ask('proposals.setWaitingTime', { minutes: 60 });
  const cids = await second.cids({ status: 4, perPage: 2 });
  for (const cid of cids) await second.change(cid, { enable_budget: 1, d_revenue: 20, t_revenue: 500 });
  for (const [place, to] of [44, 40].entries()) {
    await app.propose(cids[place] ?? 0, { field: 'd_revenue', from: 20, to });
    clock.advance(10 * minuteMs);
  }
  const { equal, outlier } = await proposeRaises(app, second, 2);
  const confirmation = await app.bringUp(await waitingFor(app, outlier));
  const { page } = confirmation;
  const next = confirmation.focused('Next change');
  const isExpired = async (): Promise<void> => {
    await page.getByRole('heading', { name: 'Expired. Nothing was sent.' }).waitFor();
    await page
      .getByText('Prepare it again in Proposals, or propose it anew, if you still want it.')
      .waitFor();
    expect(await confirmation.approve.or(confirmation.deny).count()).toBe(0);
  };
  await pass(page, 20 * minuteMs);
  await confirmation.pressDeny();

  await expect.poll(() => confirmation.title()).toContain('$44.00');
  await confirmation.armed();
  await confirmation.approve.focus();
  await page.keyboard.down('Space');
  clock.setForward(40 * minuteMs);
  await pass(page, 40 * minuteMs);
  await isExpired();
  await page.keyboard.up('Space');
  await next.waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await page.keyboard.press('n');
  await expect.poll(() => confirmation.title()).toContain('$40.00');
  await confirmation.armed();
  // The page does not notice the end before the press.
  clock.setForward(10 * minuteMs);
  const refused = page.waitForResponse('**/confirmation/decide');
  await confirmation.approve.click();
  expect((await refused).status()).toBe(410);
  await isExpired();
  await next.waitFor();

  await endReview(confirmation);
  for (const cid of equal) expect((await second.read(cid))['payout']).toBe(0.11);
  for (const cid of cids) expect((await second.read(cid))['d_revenue']).toBe(20);
});

test('a single change that expires on screen says so, and the window can be closed by keyboard', async () => {
  const clock = runningClock();
  const { app, second } = await startSession({ clock });
  await app.ask('proposals.setWaitingTime', { minutes: 60 });
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { payout } = await second.read(cid);
  await app.propose(cid, { field: 'payout', from: payout, to: 0.11 });
  const confirmation = await app.bringUp(await waitingFor(app, cid));
  await confirmation.armed();
  clock.setForward(60 * minuteMs);
  await pass(confirmation.page, 60 * minuteMs);
  await confirmation.page.getByRole('heading', { name: 'Expired. Nothing was sent.' }).waitFor();
  await confirmation.focused('Close window').waitFor();
  expect(await confirmation.approve.or(confirmation.deny).count()).toBe(0);
  expect(await axeFaults(confirmation.page)).toEqual([]);
  expect((await second.read(cid))['payout']).toBe(payout);
});

const minuteMs = 60_000;

interface AgentReview {
  agent: TestAgent;
  outlier: number;
  equal: number[];
  /** Campaigns with a daily budget of $20, for the agent. */
  cids: number[];
}

/** Three changes of the user wait, and an agent is connected. */
async function prepareReview({ app, second }: Session): Promise<AgentReview> {
  const agent = await admitAgent(app);
  const raises = await proposeRaises(app, second, 2);
  const cids = await second.cids({ status: 4, perPage: 2 });
  for (const cid of cids) await second.change(cid, { enable_budget: 1, d_revenue: 20, t_revenue: 500 });
  return { agent, cids, ...raises };
}

/** Holds the page's requests for its display, so that it does not notice that the display has ended. */
async function holdLooks(page: Page): Promise<{ release(): Promise<void> }> {
  const held: Route[] = [];
  let isReleased = false;
  await page.route('**/confirmation/look', async (route) => {
    if (isReleased) await route.continue();
    else held.push(route);
  });
  return {
    async release() {
      isReleased = true;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
}
