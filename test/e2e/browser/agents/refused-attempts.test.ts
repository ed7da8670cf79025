import { expect, test } from 'vitest';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { admitAgent } from '../../driver/agents.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('a refused attempt appears on the Agents page with its rule, campaign and a link to the limit, and cannot be approved', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  await app.goTo('Agents');
  const card = page.getByRole('region', { name: 'Refused attempts' });
  await card.getByText('Changes that a limit blocks are listed here.').waitFor();
  const limits = page.getByRole('region', { name: 'Guardrails' });
  await limits.getByText('No limits, so you see').waitFor();

  const agent = await admitAgent(app, { name: 'Claude Code' });
  const other = await admitAgent(app, { name: 'Bid Helper' });
  const [cid = 0, next = 0] = await second.cids({ status: 1, perPage: 2 });
  await second.change(cid, { payout: 0.04, name: 'DE push' });
  await app.ask('guardrails.set', {
    profileId: 'demo',
    base: noGuardrails,
    guardrails: { ...noGuardrails, maxBidFactor: 2, maxCampaigns: 1 },
  });
  await limits
    .getByText(
      'One change of an agent may raise a bid to 2 times the current one and touch 1 campaign at most.',
    )
    .waitFor();
  expect((await agent.change(cid, { payout: 0.4 })).isError).toBe(true);
  expect((await other.setStatus([cid, next], 'paused')).isError).toBe(true);
  await app.waiting(0);

  const list = card.getByRole('list', { name: 'Refused attempts' });
  const raise = list
    .getByRole('listitem')
    .filter({ hasText: 'Raise the bid of “DE push” from $0.040 to $0.400' });
  await raise.getByText('Bid limit:').waitFor();
  await raise.getByText('up to $0.080 is allowed').waitFor();
  await raise.getByText('“Claude Code”').waitFor();
  const pause = list.getByRole('listitem').filter({ hasText: 'Pause 2 campaigns' });
  await pause.getByText('One change may touch 1 campaign at most.').waitFor();
  expect(await card.getByRole('button', { name: /approve|review|send/i }).count()).toBe(0);

  await card.getByRole('button', { name: /^Agent:/ }).click();
  await page.getByRole('option', { name: '“Claude Code”' }).click();
  await pause.waitFor({ state: 'hidden' });
  await expect.poll(() => raise.count()).toBe(1);

  await raise.getByRole('button', { name: 'Show the limit: Bid limit' }).click();
  const focused = limits.getByRole('checkbox', { name: 'Limit how far a bid may rise in one change' });
  await expect.poll(() => focused.evaluate((box) => box === document.activeElement)).toBe(true);
  await limits.getByRole('button', { name: 'Cancel' }).click();
  await raise.getByRole('link', { name: `Campaign ${cid}` }).click();
  await page.waitForURL(new RegExp(`#/campaigns/${cid}$`, 'u'));
  expect((await second.read(cid))['payout']).toBe(0.04);
});
