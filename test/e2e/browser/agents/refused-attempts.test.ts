import { expect, test } from 'vitest';
import type { Guardrails } from '#shared/app-api/index.ts';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { admitAgent } from '../../driver/agents.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('a refused attempt is seen on Agents, with the rule, the campaign and the way to its limit, and cannot be approved', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  await app.goTo('Agents');
  const card = page.getByRole('region', { name: 'Refused attempts' });
  await card.getByText('No refused attempts.').waitFor();
  const limits = page.getByRole('region', { name: 'Guardrails' });
  await limits.getByText('Demo starts without limits').waitFor();

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
  expect(await raise.count()).toBe(1);

  await raise.getByRole('button', { name: 'Show the limit: Bid limit' }).click();
  const focused = limits.getByRole('checkbox', { name: 'Limit how far a bid may rise in one change' });
  await expect.poll(() => focused.evaluate((box) => box === document.activeElement)).toBe(true);
  await limits.getByRole('button', { name: 'Cancel' }).click();
  await raise.getByRole('link', { name: `Campaign ${cid}` }).click();
  await page.waitForURL(new RegExp(`#/campaigns/${cid}$`, 'u'));
  expect((await second.read(cid))['payout']).toBe(0.04);
});

test('protected campaigns are picked from the list, and no agent changes them from then on', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const agent = await admitAgent(app);
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await second.change(cid, { name: 'Brand “DE”, always on' });
  await app.turnTo();
  await app.goTo('Agents');
  const limits = page.getByRole('region', { name: 'Guardrails' });
  await limits.getByRole('button', { name: 'Set limits…' }).click();
  const search = limits.getByRole('textbox', { name: 'Search campaigns to protect' });

  await search.fill('always on');
  const results = limits.getByRole('list', { name: 'Campaigns to protect' });
  await results.getByRole('button', { name: new RegExp(String(cid), 'u') }).click();
  const chip = limits.getByRole('button', { name: new RegExp(`^Stop protecting .*\\(${cid}\\)$`, 'u') });
  await chip.waitFor();
  // An id that the list does not contain, by keyboard alone; Enter picks and does not save.
  await search.fill('987654321');
  await search.press('Enter');
  await limits.getByRole('button', { name: 'Stop protecting campaign 987654321' }).waitFor();
  await search.fill('zzz nothing');
  await limits.getByText('No results').waitFor();
  await limits.getByRole('button', { name: 'Save limits' }).click();
  await limits.getByText('This text protects no campaign.').waitFor();
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  // An id that still stands in the field is protected, too.
  await search.fill('987654322');
  await limits.getByText('This text protects no campaign.').waitFor({ state: 'detached' });
  await limits.getByRole('button', { name: 'Save limits' }).click();
  await limits.getByText('3 campaigns may not be touched by any agent.').waitFor();
  const stored = (await app.ask('guardrails.get', { profileId: 'demo' })) as Guardrails;
  expect(stored.untouchable).toEqual([cid, 987654321, 987654322]);

  expect((await agent.change(cid, { name: 'Mine' })).isError).toBe(true);
  await page.getByRole('region', { name: 'Refused attempts' }).getByText('Protected campaigns:').waitFor();

  await limits.getByRole('button', { name: 'Edit…' }).click();
  await chip.click();
  await limits.getByRole('button', { name: 'Save limits' }).click();
  await limits.getByText('2 campaigns may not be touched by any agent.').waitFor();
});

test('limits that were changed meanwhile are named, and what was typed is saved over them alone', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  await app.goTo('Agents');
  const limits = page.getByRole('region', { name: 'Guardrails' });
  await limits.getByRole('button', { name: 'Set limits…' }).click();
  await limits.getByRole('checkbox', { name: 'Limit how many campaigns one change may touch' }).click();
  await limits.getByRole('textbox', { name: 'Campaigns', exact: true }).fill('7');

  const quietHours = { fromHour: 22, untilHour: 7 };
  const elsewhere = { ...noGuardrails, quietHours };
  await app.ask('guardrails.set', { profileId: 'demo', base: noGuardrails, guardrails: elsewhere });
  const notice = limits.getByRole('alert').filter({ hasText: 'These limits were changed meanwhile.' });
  await notice.getByText('22:00').waitFor();
  const save = limits.getByRole('button', { name: 'Save limits' });
  expect(await save.isDisabled()).toBe(true);
  expect(await axeFaults(page)).toEqual([]);

  await notice.getByRole('button', { name: 'Keep mine' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
  await save.click();
  await limits.getByText('touch 7 campaigns at most').waitFor();
  expect(await app.ask('guardrails.get', { profileId: 'demo' })).toEqual({ ...elsewhere, maxCampaigns: 7 });
});
