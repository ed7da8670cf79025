import { expect, test } from 'vitest';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { workerChromium } from '#test/e2e/driver/chromium.ts';
import { liveDriver } from '#test/e2e/driver/desktop/live-service.ts';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { startServedService } from '#test/servers/served-service.ts';

const { startSession } = prepareDesktopSessions();

test('a sign-in without permission for uploads is named next to the picture, with the step that adds it', async () => {
  const [live, session, browser] = await Promise.all([
    startServedService(),
    startSession({ demoCampaigns: 12 }),
    workerChromium(),
  ]);
  const { app, complaints } = session;
  const { page } = app;
  const person = liveDriver({ app, live, browser, opened: session.opened });
  const { member_token: token } = live.account('buyer');
  await app.until('first row');
  await person.addProfile('Meridian');
  await person.paste('Member access token', token);
  await person.switchTo('Meridian');
  await app.goTo('Campaigns');
  await app.until('first row');
  const cid = await pushCampaign();
  const open = (): Promise<string> =>
    page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/creative`);

  await open();
  const pictures = page.getByRole('group', { name: 'Pictures' });
  await pictures.getByText('Sign in to upload pictures.').first().waitFor();
  await pictures.getByRole('link', { name: 'Open the profile' }).first().click();
  await person.signIn(['Propose changes through tools']);
  await open();
  await pictures
    .getByText('The sign-in does not cover uploads. It must also be allowed to upload pictures (svc:upload).')
    .first()
    .waitFor();
  expect(await pictures.getByRole('button', { name: 'Replace icon…' }).count()).toBe(0);

  await person.agreeAfter(() => pictures.getByRole('button', { name: 'Request access…' }).first().click());
  await page.getByText('It may read, propose changes and upload pictures.').waitFor();
  await open();
  await pictures.getByRole('button', { name: 'Replace icon…' }).waitFor();
  await page
    .getByLabel('File of the icon')
    .setInputFiles({ name: 'live.png', mimeType: 'image/png', buffer: png(128, 128) });
  const upload = await app.confirmationFrom(pictures.getByRole('button', { name: 'Review upload' }));
  await upload.page.getByRole('img', { name: 'New icon, the file live.png' }).waitFor();
  await upload.pressApprove();
  await upload.ends('Done');
  await upload.close();
  await page.getByText('1 change', { exact: true }).first().waitFor();
  expect(await complaints()).toEqual([]);

  async function pushCampaign(): Promise<number> {
    const filter = { query: '', status: 1, types: [], sort: 'cid', order: 'asc' };
    const { rows } = (await app.ask('campaigns.page', { filter, page: 1, perPage: 200 })) as {
      rows: { cid: number; type_name: string }[];
    };
    return rows.find(({ type_name: type }) => type === 'Push Classic')?.cid ?? 0;
  }
});
