import { expect, test } from 'vitest';
import { waitingFor } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { proposeRaises } from '../../driver/raises.ts';
import { prepareSessions } from '../../driver/session.ts';

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
