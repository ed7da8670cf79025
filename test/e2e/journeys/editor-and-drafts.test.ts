import { expect, test } from 'vitest';
import { untilInLedger } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('a bid and a weekly schedule are drafted, kept across a reload, checked, reviewed and stored', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await second.change(cid, { enable_shedule: 0 });
  const before = await second.read(cid);

  const panel = await app.open(cid);
  await app.edit(cid, 'Bid', '+10%');
  await panel.getByText('1 change', { exact: true }).last().waitFor();
  await panel.getByRole('link', { name: /^Weekly schedule/ }).click();
  await panel.getByRole('button', { name: 'Weekdays 8–20' }).click();
  await panel.getByText('60 of 168 hours on.').waitFor();
  await expect.poll(() => app.ask('drafts.get', { cids: [cid] })).toMatchObject({ campaigns: [{ cid }] });

  await page.reload();
  await panel.getByText('60 of 168 hours on.').waitFor();
  await page.getByRole('link', { name: 'Drafts' }).click();
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText(/^Checked: 1 campaign (ready|with warnings)$/).waitFor();
  await page.getByText(/^On Countersign’s copy: accepted/).waitFor();
  const confirmation = await app.confirmationFrom(page.getByRole('button', { name: 'Review 1 campaign' }));
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  const after = await second.read(cid);
  expect(after['payout']).toBeCloseTo(Number(before['payout']) * 1.1, 6);
  expect((after['shedule'] as number[]).filter((hour) => hour === 1)).toHaveLength(60);
  expect({ ...after, payout: 0, enable_shedule: 0, shedule: [] }).toEqual({
    ...before,
    payout: 0,
    enable_shedule: 0,
    shedule: [],
  });
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  await untilInLedger(app, /^Saved and verified: /);
  expect(await complaints()).toEqual([]);
});
