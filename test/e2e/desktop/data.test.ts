import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AppDriver, skipFirstStart } from '../driver/app.ts';
import { axeFaults } from '../driver/axe.ts';
import { type DesktopSession, prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

/** A bid of a running campaign, a little higher: proposed, and not decided yet. */
async function proposeHigherBid(
  { app, second }: DesktopSession,
  at: number,
): Promise<{ id: string; cid: number; from: unknown }> {
  const cid = (await second.cids({ status: 1, perPage: 10 }))[at] ?? 0;
  const { payout } = await second.read(cid);
  const to = Number((Number(payout) * 1.1).toFixed(3));
  return { id: await app.propose(cid, { field: 'payout', from: payout, to }), cid, from: payout };
}

const bidOf = async (app: AppDriver, cid: number): Promise<unknown> => {
  const { edit } = (await app.ask('campaigns.get', { cid })) as { edit: { campaign: { payout: unknown } } };
  return edit.campaign.payout;
};

/** Counts the writes that arrive at the service, whichever core it belongs to. */
function countWrites({ faults }: DesktopSession): () => number {
  let writes = 0;
  faults.arm({ kind: 'meanwhile', method: 'PUT', lasts: true, run: () => (writes += 1) });
  return () => writes;
}

/** Holds up the next read of a campaign, once it came. */
function holdRead({ faults }: DesktopSession, cid: number): { reached: Promise<void>; release(): void } {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const run = (): Promise<void> => (reached.resolve(), goOn.promise);
  faults.arm({ kind: 'meanwhile', method: 'GET', path: `/${cid}`, run });
  return { reached: reached.promise, release: goOn.resolve };
}

test('a backup that was saved while a change was on its way is restored without sending it, in the window of the app', async () => {
  // A read is held while a backup is made, which may take long.
  const session = await startSession({ demoCampaigns: 40, requestMs: 120_000 });
  const { app } = session;
  const { page } = app;
  await app.until('first row');
  const writes = countWrites(session);
  const folder = await session.answerSaves();

  // Approved, and held before anything was sent.
  const approved = await proposeHigherBid(session, 0);
  const confirmation = await app.bringUp(approved.id);
  await confirmation.armed();
  const held = holdRead(session, approved.cid);
  await confirmation.pressApprove();
  await held.reached;
  await app.turnTo();
  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Back up…' }).click();
  await page.getByText(/^Saved as countersign-backup-/).waitFor();
  const [name = ''] = readdirSync(folder);
  expect(name).toMatch(/^countersign-backup-\d{4}-\d{2}-\d{2}-\d{4}\.countersign$/);
  expect(writes()).toBe(0);
  held.release();
  await confirmation.ends('Verified');

  // Decided after the backup.
  const later = await proposeHigherBid(session, 1);
  const next = await app.bringUp(later.id);
  await next.pressApprove();
  await next.ends('Verified');
  expect(writes()).toBe(2);

  await app.turnTo();
  await page.getByLabel('Backup to restore').setInputFiles(join(folder, name));
  const question = page.getByRole('dialog', { name: 'Restore this backup?' });
  await question.getByText('1 open proposal').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const loaded = page.waitForEvent('load');
  await question.getByRole('button', { name: 'Restore this backup' }).click();
  await loaded;
  await page.getByText(/^Kept in the data folder, with what restores replaced: replaced-/).waitFor();
  await page.getByText(/^Last restore: /).waitFor();
  await page.getByRole('button', { name: 'Open data folder' }).waitFor();

  expect(await app.ask('proposals.get', { id: approved.id })).toMatchObject({ state: 'withdrawn' });
  expect(await app.ask('proposals.get', { id: later.id })).toMatchObject({ code: 'proposal_not_found' });
  expect([await bidOf(app, approved.cid), await bidOf(app, later.cid)]).toEqual([approved.from, later.from]);
  await app.goTo('Ledger');
  await page.getByText(/^Restored a backup of /).waitFor();
  await page.getByText(/a backup was restored at row \d+/i).waitFor();
  await app.goTo('Proposals');
  await page.getByText('Withdrawn').first().waitFor();
  expect(writes()).toBe(2);

  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Support bundle…' }).click();
  const bundle = page.getByLabel('Content of the support bundle');
  await bundle.waitFor();
  const shown = (await bundle.textContent()) ?? '';
  expect(shown).toContain('restored 1 time');
  expect(shown).toContain('Countersign diagnostics');
  expect(shown).not.toMatch(/Northwind|\/tmp\/|eyJ/);
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByText(/^Saved as countersign-support-/).waitFor();
  const bundleName = readdirSync(folder).find((one) => one.startsWith('countersign-support-')) ?? '';
  expect(readFileSync(join(folder, bundleName), 'utf8')).toBe(`${shown}\n`);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(await session.complaints()).toEqual([]);
});

test('a deletion takes a typed word, and leaves an app that begins as on the first day, with another key', async () => {
  const session = await startSession({ demoCampaigns: 12, offersFirstStart: true });
  const { app, dataFolder } = session;
  const { page } = app;
  await skipFirstStart(page);
  const { id } = await proposeHigherBid(session, 0);
  const userData = await session.userData();
  const keyNow = (): string => readFileSync(join(userData, 'data', 'vault.key'), 'utf8');
  const settingsNow = (): unknown => JSON.parse(readFileSync(join(userData, 'settings.json'), 'utf8'));
  const key = keyNow();

  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Theme: Use system theme' }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await page.getByRole('checkbox', { name: 'Notify me of waiting changes' }).click({ force: true });
  await page.getByRole('checkbox', { name: 'Start Countersign when I sign in' }).click({ force: true });
  await expect.poll(settingsNow).toMatchObject({ theme: 'dark', notifications: false });

  await page.getByRole('button', { name: 'Delete my data…' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete everything?' });
  const press = deletion.getByRole('button', { name: 'Delete everything' });
  await deletion.getByLabel('Type “delete” to confirm').fill('delet');
  expect(await press.isDisabled()).toBe(true);
  await deletion.getByLabel('Type “delete” to confirm').fill('delete');
  const loaded = page.waitForEvent('load');
  await press.click();
  await loaded;
  await skipFirstStart(page);
  await app.until('first row');

  expect(await app.ask('proposals.get', { id })).toMatchObject({ code: 'proposal_not_found' });
  expect(await app.ask('ledger.report', {})).toMatchObject({ rows: 1 });
  expect(readdirSync(dataFolder).filter((name) => /^(replaced-|delete|restore)/.test(name))).toEqual([]);
  expect(keyNow()).not.toBe(key);
  expect(settingsNow()).toMatchObject({ theme: 'system', notifications: true, weakVaultConsent: null });
  await app.goTo('Settings');
  await page.getByRole('button', { name: 'Theme: Use system theme' }).waitFor();
  const box = (name: string): Promise<boolean> => page.getByRole('checkbox', { name }).isChecked();
  expect(await box('Notify me of waiting changes')).toBe(true);
  expect(await box('Start Countersign when I sign in')).toBe(false);

  // What is sealed from then on opens at the next start.
  await session.restartCore();
  expect(await app.ask('ledger.verify', {})).toMatchObject({ state: 'verified', keys: [{ endorsed: true }] });
  expect(await session.complaints()).toEqual([]);
});
