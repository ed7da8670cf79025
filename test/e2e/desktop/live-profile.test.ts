import { expect, test } from 'vitest';
import { workerChromium } from '#test/e2e/driver/chromium.ts';
import { liveDriver } from '#test/e2e/driver/desktop/live-service.ts';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { startServedService } from '#test/servers/served-service.ts';

const { startSession } = prepareDesktopSessions();

test('the user adds a live service, signs in, changes a campaign, loses and regains the network, and signs out', async () => {
  const [live, session, browser] = await Promise.all([
    startServedService(),
    startSession({ requestMs: 1_500, demoCampaigns: 12 }),
    workerChromium(),
  ]);
  const { app, complaints } = session;
  const { page } = app;
  const person = liveDriver({ app, live, browser, opened: session.opened });
  const buyer = live.account('buyer');
  await app.until('first row');
  await expect.poll(session.titles).toContain('Demo · “Northwind Media” · Countersign');

  await person.addProfile('Meridian');
  await person.signIn([]);
  await page.getByText('It may read.').waitFor();
  await person.signIn(['Propose changes through tools']);
  await page.getByText('It may read and propose changes.').waitFor();
  await person.paste('Member access token', buyer.member_token);
  await person.paste('Publisher API key', buyer.publisher_keys[0]?.key ?? '');

  await person.switchTo('Meridian');
  await app.until('first row');
  await expect.poll(() => page.locator('html').getAttribute('data-profile')).toBe('live');
  await expect.poll(session.titles).toContain('LIVE · “Meridian” · Countersign');

  await app.filterStatus('Active');
  const cid = await app.cidInRow(1);
  await app.open(cid);
  const before = Number(await app.panel(cid).getByLabel('Bid', { exact: true }).inputValue());
  const bid = (before * 1.1).toFixed(3);
  await app.edit(cid, 'Bid', bid);
  const confirmation = await app.review(cid);
  expect(await confirmation.words()).toContain(`account ${buyer.uid}`);
  await expect.poll(() => confirmation.page.locator('html').getAttribute('data-profile')).toBe('live');
  await expect.poll(session.titles).toContain('LIVE · “Meridian” · Confirm a change');
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  const stored = await fetch(`${live.served.addresses.base_url}/login/campaigns/${cid}`, {
    headers: { authorization: `Bearer ${buyer.member_token}` },
  });
  expect(await stored.json()).toMatchObject({ data: { campaign: { payout: Number(bid) } } });

  live.goAway();
  await app.turnTo();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Changes are off').first().waitFor();
  await app.search(String(cid));
  await app.row(cid).waitFor();
  live.comeBack();
  await page.getByText('Changes are off').first().waitFor({ state: 'detached' });
  await app.search('');
  await app.until('first row');

  await app.goTo('Profiles');
  await page.getByRole('link', { name: 'Run the doctor' }).click();
  await page.getByRole('button', { name: 'Examine', exact: true }).click();
  await page.getByRole('button', { name: 'Examine again' }).waitFor();
  await expect.poll(() => page.getByRole('region', { name: 'Verdict' }).innerText()).toContain('works');
  await expect.poll(() => page.locator('main').innerText()).not.toContain(buyer.member_token);

  await app.goTo('Profiles');
  await page.getByRole('button', { name: 'Sign out…' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('Signed out. The service revoked the access.').waitFor();
  await app.goTo('Campaigns');
  await page.getByRole('heading', { name: 'You signed out of this profile.' }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await app.row(cid).count()).toBe(0);
  await page.getByRole('link', { name: 'Add member token' }).click();
  await page.getByRole('region', { name: 'Member token' }).getByLabel('Member access token').waitFor();
  expect(await complaints()).toEqual([]);
});
