import { expect, test } from 'vitest';
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
