import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
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

test('a packaged app shows its first row, runs its core in a process of Electron, and a second start brings its window to the front', async () => {
  const session = await startPackaged(bed);
  const { application, corePid, coreLog, userData } = session;
  expect(await application.evaluate(({ app }) => app.isPackaged)).toBe(true);
  const pid = await corePid();
  const { driven } = inject('packagedApp');
  expect(readlinkSync(`/proc/${pid}/exe`)).toBe(programIn(driven));
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/)).toContain('--type=utility');
  const [binding = ''] = /\/\S+\.node$/m.exec(readFileSync(`/proc/${pid}/maps`, 'utf8')) ?? [];
  expect(binding).toContain(join(driven, 'resources/app.asar.unpacked/node_modules/better-sqlite3/'));
  expect(coreLog()).toContain('The core is ready');

  await application.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.minimize();
  });
  const second = await bed.run({ program: programIn(inject('packagedApp').driven), userData });
  expect(second.exitCode).toBe(0);
  const shown = (): Promise<boolean[]> =>
    application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter((window) => window.isVisible() && !window.isMinimized())
        .map((window) => window.isFocused()),
    );
  await expect.poll(shown).toEqual([true]);
  expect(await corePid()).toBe(pid);
});

test('a change that is approved in the confirmation window is stored, verified and recorded, and is still there after quitting', async () => {
  const session = await startPackaged(bed);
  const { cid, payout } = await raiseABid(session);
  expect((await campaign(session, cid)).payout).toBe(payout);
  const { app } = session;
  await app.goTo('Ledger');
  await app.page.getByText('Ledger verified').first().waitFor();
  await app.page.getByText('Saved and verified: Raise the bid').waitFor();

  const core = await session.corePid();
  expect(await session.quit()).toBe(0);
  expect(session.coreLog()).toContain('The core has ended');
  expect(readdirSync(join(session.userData, 'data'))).not.toContain('lock.json');
  expect(existsSync(`/proc/${core}`)).toBe(false);

  const again = await startPackaged(bed, session.userData);
  expect((await campaign(again, cid)).payout).toBe(payout);
  await again.app.goTo('Ledger');
  await again.app.page.getByText('Saved and verified: Raise the bid').waitFor();
});

test('a killed core is restarted under the open window, accepts the next change, and runs reports and training', async () => {
  const session = await startPackaged(bed);
  const { app, application, corePid } = session;
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

  // A worker thread of the core computes the figures.
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
