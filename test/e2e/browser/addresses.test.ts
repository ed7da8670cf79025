import { expect, test } from 'vitest';
import { waitingFor, type AppDriver } from '../driver/app.ts';
import { openConfirmation } from '../driver/browser/confirmation-host.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { confirmationDriver } from '../driver/confirmation.ts';

const { startSession } = prepareBrowserSessions();

const needsAddress = { name: 'Open the address that Countersign printed' };

test('the app opens only at the printed address, and a page from an earlier start has no session', async () => {
  const { app, context, dataFolder, loseCore } = await startSession();
  const { page } = app;
  await app.until('first row');

  const stranger = await context.newPage();
  await stranger.goto(new URL(page.url()).origin);
  await stranger.getByRole('heading', needsAddress).waitFor();
  expect(await stranger.getByRole('row').count()).toBe(0);

  await loseCore();
  const { app: fresh } = await startSession({ dataFolder });
  await fresh.until('first row');
  expect(new URL(fresh.page.url()).origin).toBe(new URL(page.url()).origin);
  await page.getByRole('heading', needsAddress).waitFor();
  await page.getByText(/for a new one-time address/).waitFor();
});

async function addressOf(app: AppDriver, cid: number): Promise<string> {
  const id = await waitingFor(app, cid);
  const { address = '' } = (await app.ask('proposals.review', { id })) as { address?: string };
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#ticket=/);
  return address;
}

test('only the newest confirmation window can decide, a used address opens nothing, and a reload keeps its confirmation', async () => {
  const { app, context, second } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  await app.open(cid);
  await app.edit(cid, 'Name', 'A name that somebody asks for');
  const older = await app.review(cid);
  await older.armed();
  const address = await addressOf(app, cid);
  const newer = confirmationDriver(await openConfirmation(context, address));
  await newer.armed();
  expect(newer.page.url()).not.toContain('ticket');

  await older.says('This confirmation is over');
  expect(await older.approve.count()).toBe(0);

  const replayed = confirmationDriver(await openConfirmation(context, address));
  await replayed.says('This page has nothing to confirm.');
  expect(await replayed.approve.count()).toBe(0);
  expect(await replayed.words()).not.toContain('A name that somebody asks for');

  await newer.page.reload();
  await newer.pressApprove();
  await newer.ends('Verified');
  expect(second.count('PUT', `/${cid}`)).toBe(1);

  await newer.page.reload();
  await newer.says('This page has nothing to confirm.');
});
