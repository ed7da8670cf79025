import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';
import { proposeRaises } from '../driver/raises.ts';

const { startSession } = prepareBrowserSessions();

/** Milliseconds that a practised person takes for one key, and to judge one change that is new to them. */
const keyMs = 280;
const judgeMs = 10_000;

/**
 * A person with a keyboard only, whose time is computed from keys, arming delays and judgements, and not from this machine's
 * speed.
 */
class CountedPerson {
  spentMs = 0;
  private readonly page: Page;
  private readonly confirmation: ConfirmationDriver;

  constructor(confirmation: ConfirmationDriver) {
    this.confirmation = confirmation;
    this.page = confirmation.page;
  }

  /** Waits until the buttons are armed, and judges the confirmation on screen. */
  async judge(): Promise<void> {
    await this.confirmation.armed();
    this.spentMs += armingDelayMs + judgeMs;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      this.spentMs += keyMs;
    }
  }

  async type(text: string): Promise<void> {
    await this.press(...text);
  }

  /** Presses this key until the focus is on an element with this role and name. */
  async reach(key: string, target: string | RegExp, role: 'button' | 'textbox'): Promise<void> {
    const wanted = this.page.getByRole(role, { name: target }).and(this.page.locator(':focus'));
    for (let left = 40; (await wanted.count()) === 0; left -= 1) {
      if (left === 0) throw new Error(`No way by ${key} to ${String(target)}`);
      await this.press(key);
    }
  }
}

test('the user approves equal changes together and denies the outlier, by keyboard and in under 90 seconds', async () => {
  const { app, second, complaints } = await startSession();
  const { equal, outlier } = await proposeRaises(app, second, 49);
  const [first = ''] = await app.waiting(50);
  const confirmation = await app.bringUp(first);
  const { page } = confirmation;
  const person = new CountedPerson(confirmation);

  // The displayed change is one of the equal changes.
  await person.judge();
  await confirmation.says('49 identical changes: review together');
  await person.press('t');
  await page.getByRole('heading', { level: 1, name: 'Raise bids by 10%: 49 changes' }).waitFor();
  await person.judge();
  const typed = page.getByRole('textbox', { name: /to confirm/ });
  if ((await typed.count()) > 0) {
    await person.reach('Shift+Tab', /to confirm/, 'textbox');
    await person.type('49');
  }
  await person.reach('Tab', /^Approve/, 'button');
  await person.press('Space');

  // The outlier is shown before or after the equal changes, because it had the highest risk.
  await expect.poll(() => confirmation.title()).toMatch(/\$0\.300|1 change still awaits/u);
  if ((await confirmation.title()).includes('still awaits')) await person.press('n');
  await expect.poll(() => confirmation.title()).toContain('$0.300');
  await person.judge();
  await person.press('Tab');
  await person.type('Three times the bid');
  await person.press('Shift+Tab', 'Space');
  await page.getByRole('heading', { name: 'You decided 50 changes' }).waitFor();
  await expect
    .poll(() => page.getByRole('banner').innerText())
    .toMatch(/^Demo\s+Northwind Media\s+account 20417$/);
  const count = (term: string) =>
    page.getByRole('definition').and(page.locator(`dt:text-is("${term}") + dd`));
  await expect.poll(() => count('Approved').innerText()).toBe('49');
  await expect.poll(() => count('Denied').innerText()).toBe('1');
  await confirmation.ends('Denied');
  // Forty-nine writes, one after another.
  await confirmation.ends('Done', 180_000);
  expect(await axeFaults(page)).toEqual([]);

  expect(person.spentMs).toBeLessThan(90_000);
  expect((await second.read(outlier))['payout']).toBe(0.1);
  for (const cid of equal) expect((await second.read(cid))['payout']).toBe(0.11);
  await app.waiting(0);
  await app.turnTo();
  await app.goTo('Ledger');
  const past = { which: 'past', before: null, limit: 200 };
  const { items } = (await app.ask('proposals.list', past)) as { items: { id: string; state: string }[] };
  const proposalId = items.find(({ state }) => state === 'denied')?.id ?? '';
  const rows = { beforeSeq: null, limit: 200, filter: { ...everyRow, proposalId } };
  expect(JSON.stringify(await app.ask('ledger.list', rows))).toContain('Three times the bid');
  await app.page.getByText('Saved and verified: Raise the bid').first().waitFor();
  expect(await complaints()).toEqual([]);
});

test('the user decides three changes in one review: an outdated change appears again, and a decided change is undone from the list', async () => {
  const { app, second, complaints } = await startSession();
  const [a = 0, b = 0, c = 0] = await second.cids({ status: 1, perPage: 3 });
  for (const cid of [a, b, c]) await second.change(cid, { payout: 0.1 });
  const raised = await app.propose(a, { field: 'payout', from: 0.1, to: 0.3 });
  await app.propose(b, { field: 'payout', from: 0.1, to: 0.2 });
  await app.propose(c, { field: 'name', from: (await second.read(c))['name'], to: 'Renamed in a review' });
  await app.waiting(3);

  const confirmation = await app.bringUp(raised);
  const { page } = confirmation;
  const decided = page.getByRole('list', { name: 'Decided in this review' }).getByRole('listitem');
  await confirmation.armed();
  await second.change(a, { name: 'Renamed elsewhere' });
  await approveNamed('$0.300');
  await approveNamed('$0.200');
  // The campaign changed before the first approval, so nothing was sent and the change is asked again.
  await expect.poll(() => confirmation.title()).toContain('$0.300');
  await decided.getByRole('button', { name: /^Undo: .*\$0\.200/ }).click();
  await approveNamed('$0.100');
  await expect.poll(() => confirmation.title()).toContain('Renamed in a review');
  await confirmation.pressApprove();
  await page.getByRole('button', { name: 'Review the remaining change' }).click();
  await expect.poll(() => confirmation.title()).toContain('$0.300');
  await confirmation.pressDeny('Not while others work on it');
  await page.getByRole('heading', { name: /^You decided \d changes$/ }).waitFor();
  await expect.poll(async () => (await second.read(c))['name']).toBe('Renamed in a review');
  expect(await second.read(b)).toMatchObject({ payout: 0.1 });
  expect(await second.read(a)).toMatchObject({ payout: 0.1, name: 'Renamed elsewhere' });
  expect(await axeFaults(page)).toEqual([]);
  await app.waiting(0);
  expect(await complaints()).toEqual([]);

  async function approveNamed(value: string): Promise<void> {
    await expect.poll(() => confirmation.title()).toContain(value);
    await confirmation.armed();
    const typed = page.getByRole('textbox', { name: /to confirm/ });
    if ((await typed.count()) > 0) await typed.fill(value.slice(1));
    await confirmation.pressApprove();
  }
});
