import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

/** A bid raised by a tenth, as far as its confirmation on the screen. */
async function bidUnderReview() {
  const { app, second } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const mine = Number((Number(before['payout']) * 1.1).toFixed(3));

  await app.open(cid);
  await app.edit(cid, 'Bid', String(mine));
  const confirmation = await app.review(cid);
  return { second, cid, before, mine, confirmation };
}

test('a campaign that another user changed meanwhile is explained, rebased and asked again; the same field is blocked', async () => {
  const { second, cid, mine, confirmation } = await bidUnderReview();
  const firstFingerprint = await confirmation.fingerprint();
  await second.change(cid, { name: 'Renamed by somebody else' });
  await confirmation.pressApprove();

  await confirmation.says('Someone else changed the campaign while you were reading. Nothing was sent.');
  await confirmation.says('Renamed by somebody else');
  expect(await confirmation.fingerprint()).not.toBe(firstFingerprint);
  expect(second.count('PUT', `/${cid}`)).toBe(1);

  await second.change(cid, { payout: Number((mine * 1.2).toFixed(3)) });
  await confirmation.pressApprove();
  await confirmation.says('Someone else changed the same field. Nothing was sent.');
  await confirmation.approve.waitFor({ state: 'detached' });
  expect(second.count('PUT', `/${cid}`)).toBe(2);
  expect((await second.read(cid))['payout']).toBe(Number((mine * 1.2).toFixed(3)));
});

test('a rebased change that is approved keeps the other user’s change', async () => {
  const { second, cid, before, mine, confirmation } = await bidUnderReview();
  await second.change(cid, { name: 'Renamed by somebody else' });
  await confirmation.pressApprove();
  await confirmation.says('Someone else changed the campaign while you were reading.');
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  expect(await second.read(cid)).toEqual({ ...before, payout: mine, name: 'Renamed by somebody else' });
});

test('twelve campaigns cannot be paused when one is not ours: nothing changes and the reason is said', async () => {
  const { app, second, giveAway } = await startSession();
  await app.until('first row');
  await app.filterStatus('Active');
  const cids = await second.cids({ status: 1, perPage: 12 });
  await app.selectFirst(12);
  const foreign = cids[5] ?? 0;
  giveAway(foreign);

  await app.page.getByRole('button', { name: 'Pause…' }).click();
  await app.page.getByText('Nothing was changed.').waitFor();
  expect(await app.page.getByRole('alert').first().innerText()).toContain(String(foreign));
  expect(second.count('PUT', '/update-status')).toBe(0);
  for (const cid of cids) if (cid !== foreign) expect((await second.read(cid))['status']).toBe(1);
});

test('twelve campaigns are paused by one approval, each with its own result', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  await app.filterStatus('Active');
  const cids = await second.cids({ status: 1, perPage: 12 });
  await app.selectFirst(12);
  const confirmation = await app.confirmationFrom(app.page.getByRole('button', { name: 'Pause…' }));
  for (const cid of cids) await confirmation.says(String(cid));
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  for (const cid of cids) expect((await second.read(cid))['status']).toBe(3);
  expect(second.count('PUT', '/update-status')).toBe(1);
});

test('a batch that loses a campaign between show and approve is refused whole', async () => {
  const { app, second, giveAway } = await startSession();
  await app.until('first row');
  await app.filterStatus('Active');
  const cids = await second.cids({ status: 1, perPage: 12 });
  await app.selectFirst(12);
  const confirmation = await app.confirmationFrom(app.page.getByRole('button', { name: 'Pause…' }));
  giveAway(cids[3] ?? 0);
  await confirmation.pressApprove();
  await confirmation.says(String(cids[3]));
  expect(second.count('PUT', '/update-status')).toBe(0);
  for (const cid of cids) if (cid !== cids[3]) expect((await second.read(cid))['status']).toBe(1);
});

test('a selection of which some run is paused as far as it runs, and stays selected after the decision', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const [running = 0, paused = 0] = [
    ...(await second.cids({ status: 1, perPage: 1 })),
    ...(await second.cids({ status: 3, perPage: 1 })),
  ];
  const { page } = app;
  for (const cid of [running, paused]) {
    await app.search(String(cid));
    await page.getByRole('checkbox', { name: `Select campaign ${cid}` }).click({ force: true });
  }
  const bar = page.getByRole('toolbar', { name: 'Selected campaigns' });
  await bar.getByText('1 running').waitFor();
  const confirmation = await app.confirmationFrom(bar.getByRole('button', { name: 'Pause those 1…' }));
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect((await second.read(running))['status']).toBe(3);
  await bar.getByText('2 selected').waitFor();
});
