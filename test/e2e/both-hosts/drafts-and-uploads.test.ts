import { expect, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import type { AppDriver } from '../driver/app.ts';
import { prepareSessions } from '../driver/session.ts';

const { startSession } = prepareSessions();

/** Opens the page of a campaign at one of its sections. */
async function openSection(app: AppDriver, cid: number, section: string): Promise<void> {
  await app.page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/${section}`);
}

test('a draft and an upload survive a core that starts again, and both are reviewed and stored', async () => {
  const session = await startSession();
  const { second } = session;
  let { app } = session;
  await app.until('first row');
  const cids = await second.cids({ status: 1, perPage: 100 });
  const campaigns = await Promise.all(cids.map((cid) => second.read(cid)));
  const before = campaigns.find(({ icon }) => icon !== null) ?? {};
  const cid = Number(before['cid']);

  await openSection(app, cid, 'identity');
  await app.page.getByLabel('Name', { exact: true }).fill('Drafted before the restart');
  await app.page.getByText('1 change', { exact: true }).first().waitFor();
  await openSection(app, cid, 'creative');
  await app.page.getByLabel('File of the icon').setInputFiles({
    name: 'second-try.png',
    mimeType: 'image/png',
    buffer: png(128, 128),
  });
  const proposed = await app.confirmationFrom(app.page.getByRole('button', { name: 'Review upload' }));
  await proposed.armed();
  await proposed.close();

  app = await session.restartCore();
  await openSection(app, cid, 'creative');
  await app.page.getByText('Step 1 of 2').waitFor();
  const { pending } = (await app.ask('uploads.list', {})) as { pending: { proposalId: string }[] };
  const upload = await app.bringUp(pending[0]?.proposalId ?? '');
  await upload.page.getByRole('img', { name: 'New icon, the file second-try.png' }).waitFor();
  await upload.page.getByRole('img', { name: /^Icon now, stored at/ }).waitFor();
  await upload.pressApprove();
  await upload.ends('Done');
  await upload.close();

  await app.turnTo();
  await app.page.getByText('2 changes', { exact: true }).first().waitFor();
  const change = await app.confirmationFrom(app.page.getByRole('button', { name: /^Review change/ }));
  await change.page.getByRole('img', { name: /^Icon after the change/ }).waitFor();
  await change.says('Drafted before the restart');
  await change.pressApprove();
  await change.ends('Verified');

  // The token of the second client ended with the first core.
  const { edit } = (await app.ask('campaigns.get', { cid })) as { edit: { campaign: JsonObject } };
  const after = edit.campaign;
  expect(after).toMatchObject({ name: 'Drafted before the restart' });
  expect(after['icon']).not.toEqual(before['icon']);
  await expect.poll(() => app.ask('drafts.get', { cids: null })).toMatchObject({ campaigns: [] });
});
