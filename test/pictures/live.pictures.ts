import type { Page } from 'playwright';
import { onTestFinished, test } from 'vitest';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { liveDriver } from '#test/e2e/driver/desktop/live-service.ts';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { startServedService } from '#test/servers/served-service.ts';
import { pageSizes, savePicture, themes } from './camera.ts';

const { startSession } = prepareDesktopSessions();

test.each(themes)('profiles, sign-in, the doctor and an unavailable service, %s', async (theme) => {
  const [live, session, browser] = await Promise.all([
    startServedService(),
    startSession({ requestMs: 1_500, demoCampaigns: 60, colorScheme: theme }),
    launchChromium(),
  ]);
  onTestFinished(() => browser.close());
  const { app } = session;
  const { page } = app;
  const buyer = live.account('buyer');
  const person = liveDriver({ app, live, browser, opened: session.opened, colorScheme: theme });
  const take = (name: string): Promise<void> => takeWindow(session, page, `${name}-${theme}`);
  await app.until('first row');

  await app.goTo('Profiles');
  await take('profiles-none');
  await page.getByRole('button', { name: 'Add a profile' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Meridian');
  await page.getByLabel('Tools address').fill(`${live.served.addresses.mcp_url}/mcp`);
  await page.getByRole('button', { name: 'Add profile' }).click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  await take('profile-new-refused');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await person.addProfile('Meridian');
  await take('profile-added');
  await page.getByRole('button', { name: 'Sign in…' }).click();
  await take('profile-scopes');
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await page.getByText('Finish in your browser.').waitFor();
  await take('profile-signing-in');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('was cancelled').first().waitFor();
  await take('profile-cancelled');
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await person.signIn(['Propose changes through tools'], (tab) =>
    savePicture(tab, `sign-in-callback-${theme}`),
  );
  await person.paste('Member access token', buyer.member_token);
  await person.paste('Publisher API key', buyer.publisher_keys[0]?.key ?? '');
  await page.locator('main').evaluate(scrollToTop);
  await take('profile-connected');

  await page.getByRole('link', { name: 'Run the doctor' }).click();
  await take('doctor-before');
  await page.getByRole('button', { name: 'Examine', exact: true }).click();
  await page.getByRole('button', { name: 'Examine again' }).waitFor();
  await take('doctor-well');

  await person.switchTo('Meridian');
  await app.until('first row');
  await take('live-campaigns');
  const cid = await app.cidInRow(2);
  await app.open(cid);
  await app.edit(cid, 'Name', 'A name for a live campaign');
  const confirmation = await app.review(cid);
  await confirmation.armed();
  await savePicture(confirmation.page, `live-confirm-${theme}`);
  await confirmation.close();
  await app.turnTo();

  live.goAway();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Changes are off').first().waitFor();
  await take('live-away');
  await app.goTo('Profiles');
  await page.getByRole('link', { name: 'Run the doctor' }).click();
  await page.getByRole('button', { name: /^Examine/ }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await take('doctor-running');
  await page.getByRole('button', { name: 'Examine again' }).waitFor();
  await take('doctor-failed');
  live.comeBack();

  await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('menu').waitFor();
  await take('profile-menu');
});

function scrollToTop(main: HTMLElement): void {
  for (const part of main.querySelectorAll('*')) part.scrollTop = 0;
}

async function takeWindow(
  session: { resize(size: { width: number; height: number }): Promise<void> },
  page: Page,
  name: string,
): Promise<void> {
  for (const size of pageSizes) {
    await session.resize(size);
    await page.waitForTimeout(350);
    await savePicture(page, `${name}-${size.width}`);
  }
  await session.resize(pageSizes[0]);
}
