import { test } from 'vitest';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { openSection } from '#test/e2e/driver/editor.ts';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { savePicture, themes } from './camera.ts';

const { startSession } = prepareSessions();

test.each(themes)('every section of the campaign editor, and its states, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme });
  const { page } = app;
  const take = (name: string): Promise<void> => savePicture(page, `editor-${name}-${theme}-1280`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await app.until('first row');
  const cids = await second.cids({ status: 1, perPage: 100 });
  const campaigns = await Promise.all(cids.map((cid) => second.read(cid)));
  const push = campaigns.find(
    ({ icon, publisher_blocklist: list }) => icon !== null && (list as []).length > 2,
  );
  const controlled = campaigns.find(({ bidControl }) => (bidControl as []).length > 0);
  const popunder = campaigns.find(({ icon, title }) => icon === null && title === '');
  const [cid, withControls, bare] = [push, controlled, popunder].map((campaign) => Number(campaign?.['cid']));
  if (cid === undefined || withControls === undefined || bare === undefined) throw new Error('No campaign');

  for (const section of [
    'identity',
    'creative',
    'budget',
    'schedule',
    'targeting',
    'filters',
    'pacing',
    'other',
  ]) {
    await openSection(app, cid, section);
    if (section === 'creative') await page.getByRole('img', { name: /^Main image/ }).waitFor();
    await take(section);
  }
  await openSection(app, withControls, 'bids');
  await take('bids');
  await openSection(app, bare, 'creative');
  await take('creative-unused');

  // Previews for both kinds of devices, and an upload in progress.
  const creative = await openSection(app, cid, 'creative');
  await creative.getByRole('img', { name: /^Main image/ }).waitFor();
  const previews = page.getByRole('region', { name: 'Previews' });
  await previews.scrollIntoViewIfNeeded();
  await page.getByRole('figure', { name: /^Contextual ad/ }).scrollIntoViewIfNeeded();
  await take('previews-phone');
  await page.getByRole('button', { name: 'Desktop' }).click();
  await page.getByRole('figure', { name: /^Contextual ad/ }).scrollIntoViewIfNeeded();
  await take('previews-desktop');
  const file = page.getByLabel('File of the icon');
  await file.setInputFiles({ name: 'second.png', mimeType: 'image/png', buffer: png(128, 128) });
  await page.getByRole('button', { name: 'Review upload' }).waitFor();
  await page.getByRole('button', { name: 'Review upload' }).scrollIntoViewIfNeeded();
  await take('upload');
  await page.getByRole('button', { name: 'Cancel' }).click();

  // Changes fields in every section.
  const [icon, thirdIcon] = campaigns.flatMap((campaign) =>
    campaign['icon'] !== null && campaign['cid'] !== cid ? [campaign['icon']] : [],
  );
  const set = (field: string, value: unknown): Promise<unknown> =>
    app.ask('drafts.change', {
      title: `Change of ${field}`,
      changes: [{ cid, field, draft: { from: push?.[field], operations: [{ kind: 'set', value }] } }],
    });
  const { geo, publisher_blocklist: publishers } = push as { geo: string[]; publisher_blocklist: number[] };
  await set('name', `${String(push?.['name'])} – winter`);
  await set('clickurl', 'https://elsewhere.example/?click={click_id}&zone={zone_id}');
  await set('icon', icon);
  await set(
    'title',
    'A title that is far too long for a push notification and for any other ad, whatever it may say',
  );
  await set('payout', 0.0174);
  await set('d_revenue', 2);
  await set('geo', [...geo, 'XK']);
  await set('publisher_blocklist', [...publishers.slice(1), 70_001]);
  for (const section of ['identity', 'creative', 'budget', 'targeting', 'filters']) {
    await openSection(app, cid, section);
    await take(`${section}-changed`);
  }
  const schedule = await openSection(app, cid, 'schedule');
  const on = schedule.getByRole('button', { name: /^Weekly schedule: |^Schedule: / });
  if ((await on.count()) > 0 && /Off/.test((await on.first().textContent()) ?? '')) {
    await on.first().click();
    await page.getByRole('option').first().click();
  }
  await schedule.getByRole('button', { name: 'Weekdays 8–20' }).click();
  await take('schedule-changed');

  // Makes conflicts of texts and pictures.
  await second.change(cid, {
    payout: 0.0118,
    name: 'Theirs',
    icon: thirdIcon ?? null,
  });
  await page.reload();
  await openSection(app, cid, 'identity');
  await page.getByRole('group', { name: 'Conflict: Name' }).waitFor();
  await take('identity-conflict');
  await openSection(app, cid, 'creative');
  const conflict = page.getByRole('group', { name: 'Conflict: Icon' });
  await conflict.getByRole('img', { name: 'Icon, theirs' }).waitFor();
  await conflict.scrollIntoViewIfNeeded();
  await take('creative-conflict');
  await openSection(app, cid, 'budget');
  await take('budget-conflict');
});

test.each(themes)('drafts in every state, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme });
  const { page } = app;
  const take = (name: string): Promise<void> => savePicture(page, `drafts-${name}-${theme}-1280`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await app.until('first row');
  await page.evaluate(() => (location.hash = '#/drafts'));
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  await take('empty');

  const cids = await second.cids({ status: 1, perPage: 7 });
  const campaigns = await Promise.all(cids.map((cid) => second.read(cid)));
  const draft = (at: number, change: Record<string, unknown>): Promise<unknown> =>
    app.ask('drafts.change', {
      title: 'A change',
      changes: Object.entries(change).map(([field, value]) => ({
        cid: cids[at],
        field,
        draft: { from: campaigns[at]?.[field], operations: [{ kind: 'set', value }] },
      })),
    });
  const bid = (at: number, factor: number): number =>
    Number((Number(campaigns[at]?.['payout']) * factor).toFixed(3));
  await draft(0, { payout: bid(0, 1.1), name: `${String(campaigns[0]?.['name'])} 2` });
  await draft(1, { payout: bid(1, 2.5), d_revenue: Number(campaigns[1]?.['d_revenue']) + 10 });
  await draft(2, { payout: 99 });
  await draft(3, { name: 'Mine', payout: bid(3, 1.2) });
  await draft(4, { enable_budget: 0 });
  await draft(5, { payout: bid(5, 1.05) });
  await draft(6, { payout: bid(6, 1.15) });
  await page.getByText('7 campaigns · ').waitFor();
  await take('unchecked');
  await second.change(cids[3] ?? 0, { name: 'Theirs' });
  const denied = await app.propose(cids[5] ?? 0, {
    field: 'payout',
    from: campaigns[5]?.['payout'],
    to: bid(5, 1.05),
  });
  const confirmation = await app.bringUp(denied);
  await confirmation.armed();
  await confirmation.pressDeny('Not before Monday');
  await confirmation.ends('Denied');
  await confirmation.close();
  await app.propose(cids[6] ?? 0, { field: 'payout', from: campaigns[6]?.['payout'], to: bid(6, 1.15) });
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText(/^Checked: /).waitFor();
  await take('checked');
  await page.getByText('Not before Monday').first().scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Review again' }).scrollIntoViewIfNeeded();
  await take('returned-and-under-review');
  await page.getByText('Problems only').click();
  await take('problems');
});

test.each(themes)('the campaign panel with its money at risk, %s', async (theme) => {
  const { app, second } = await startSession({ colorScheme: theme });
  const { page } = app;
  await page.setViewportSize({ width: 1280, height: 800 });
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const panel = await app.open(cid);
  await savePicture(page, `panel-${theme}-1280`);
  const { payout } = await second.read(cid);
  await app.edit(cid, 'Bid', (Number(payout) * 2).toFixed(3));
  await app.edit(cid, 'Daily budget', '120');
  await panel.getByText('2 changes', { exact: true }).last().waitFor();
  await savePicture(page, `panel-changed-${theme}-1280`);
});

test.each(themes)('how long data is kept, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme });
  await app.page.setViewportSize({ width: 1280, height: 800 });
  await app.goTo('Settings');
  await app.page
    .getByRole('region', { name: 'How long copies of campaigns are kept' })
    .scrollIntoViewIfNeeded();
  await savePicture(app.page, `settings-retention-${theme}-1280`);
  await app.goTo('Ledger');
  await app.page.getByRole('button', { name: 'Net effect of agents' }).click();
  await app.page.getByRole('link', { name: 'Change it in Settings' }).waitFor();
  await savePicture(app.page, `ledger-net-effect-${theme}-1280`);
});
