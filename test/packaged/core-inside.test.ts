import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { programIn } from '../servers/packaged/packaged-app.ts';
import { startPackaged, type PackagedSession } from './packaged-session.ts';

const bed = electronForThisFile({ stagesApp: false });

interface Campaign {
  payout: number;
  name: string;
}

async function campaign({ app }: PackagedSession, cid: number): Promise<Campaign> {
  const { edit } = (await app.ask('campaigns.get', { cid })) as { edit: { campaign: Campaign } };
  return edit.campaign;
}

/** Raises the bid of a running campaign through the confirmation window; resolves to which, and to what. */
async function raiseABid(session: PackagedSession): Promise<{ cid: number; payout: number }> {
  const { app } = session;
  await app.goTo('Campaigns');
  await app.search('');
  await app.filterStatus('Active');
  const cid = await app.cidInRow(1);
  await app.open(cid);
  const payout = Number(((await campaign(session, cid)).payout * 1.1).toFixed(3));
  await app.edit(cid, 'Bid', String(payout));
  const confirmation = await app.review(cid);
  expect(await confirmation.title()).toMatch(/^Raise the bid of “.+” from \$.+ to \$/);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  return { cid, payout };
}

test('a packaged app shows its first row, with its core in a process of Electron’s own', async () => {
  const session = await startPackaged(bed);
  const { application, corePid, coreLog } = session;
  expect(await application.evaluate(({ app }) => app.isPackaged)).toBe(true);
  const pid = await corePid();
  // The very program that was packaged, as Chromium starts it for a utility.
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  expect(command).toContain('--type=utility');
  expect(command.join(' ')).toContain(programIn(inject('packagedApp').driven));
  expect(coreLog()).toContain('The core is ready');
});

test('a change that is approved in the confirmation window is stored, verified and written down, and is there after a restart', async () => {
  const session = await startPackaged(bed);
  const { cid, payout } = await raiseABid(session);
  expect((await campaign(session, cid)).payout).toBe(payout);
  const { app } = session;
  await app.goTo('Ledger');
  await app.page.getByText('Ledger verified').first().waitFor();
  await app.page.getByText('Saved and verified: Raise the bid').waitFor();

  expect(await session.quit()).toBe(0);
  const again = await startPackaged(bed, session.userData);
  expect((await campaign(again, cid)).payout).toBe(payout);
  await again.app.goTo('Ledger');
  await again.app.page.getByText('Saved and verified: Raise the bid').waitFor();
});

test('a core that is killed is started again under the open window, and takes the next change', async () => {
  const session = await startPackaged(bed);
  const { app, corePid } = session;
  const killed = await corePid();
  const away = app.until('core away');
  process.kill(killed ?? 0, 'SIGKILL');
  await away;
  await app.page.getByText('Countersign cannot be reached.').waitFor({ state: 'detached' });
  await expect.poll(async () => await app.ask('session.get', {})).toHaveProperty('version');
  expect(await corePid()).not.toBe(killed);

  const { cid, payout } = await raiseABid(session);
  expect((await campaign(session, cid)).payout).toBe(payout);
  await app.goTo('Ledger');
  await app.page.getByText('Ledger verified').first().waitFor();
});

test('a second start brings the window forward and ends', async () => {
  const { application, userData, corePid } = await startPackaged(bed);
  const core = await corePid();
  await application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const second = await bed.run({ program: programIn(inject('packagedApp').driven), userData });
  expect(second.exitCode).toBe(0);
  const shown = (): Promise<boolean[]> =>
    application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter((window) => window.isVisible() && !window.isMinimized())
        .map((window) => window.isFocused()),
    );
  await expect.poll(shown).toEqual([true]);
  expect(await corePid()).toBe(core);
});

test('quitting ends the core in good order and leaves no process and no lock', async () => {
  const { userData, corePid, coreLog, quit } = await startPackaged(bed);
  const core = await corePid();
  expect(await quit()).toBe(0);
  expect(coreLog()).toContain('The core has ended');
  expect(readdirSync(join(userData, 'data'))).not.toContain('lock.json');
  expect(existsSync(`/proc/${core}`)).toBe(false);
});

test('reports and training run inside the package as well', async () => {
  const session = await startPackaged(bed);
  const { app, application } = session;
  // The figures come from a thread of the core.
  await app.goTo('Reports');
  await app.page.getByRole('table').first().waitFor();
  await application.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    items.find(({ label }) => label === 'Training…')?.click();
  });
  const names = (): Promise<string[]> =>
    application.evaluate(({ app: electronApp }) =>
      electronApp.getAppMetrics().flatMap(({ type, name }) => (type === 'Utility' && name ? [name] : [])),
    );
  await expect.poll(names).toContain('Countersign training');
});
