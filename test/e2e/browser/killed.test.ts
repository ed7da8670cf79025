import { expect, test } from 'vitest';
import type { AppDriver } from '../driver/app.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';
import { prepareSessions, type Death } from '../driver/session.ts';

const { startSession, startMortalSession } = prepareSessions();

async function askForAName(app: AppDriver): Promise<{ cid: number; confirmation: ConfirmationDriver }> {
  await app.until('first row');
  const cid = await app.cidInRow(1);
  await app.open(cid);
  await app.edit(cid, 'Name', 'Named before the crash');
  return { cid, confirmation: await app.review(cid) };
}

/** The core dies over an approved name. Gives the name that the campaign has once the outcome is settled in this state. */
async function nameAfter(death: Death, state: string): Promise<string> {
  const { app, died, back } = await startMortalSession(death);
  const { cid, confirmation } = await askForAName(app);
  // At once: a core that is started again is not away for long.
  await Promise.all([app.until('core away'), confirmation.pressApprove(), died()]);
  expect(await app.cidInRow(1)).toBe(cid);

  const again = await back();
  await again.goTo('Proposals');
  await again.page.getByText(state, { exact: true }).first().waitFor();
  await again.goTo('Ledger');
  // The browser host has no vault: its new start signs with a new key, which is a warning.
  await again.page.getByText(/^(Ledger verified|Rows verified, with a warning)$/u).waitFor();
  await again.page.getByRole('article').first().getByRole('button').first().click();
  await again.page.getByText('Outcome unknown: Rename').waitFor();
  // Not from the panel: a page that lived on keeps there what was typed.
  const detail = (await again.ask('campaigns.get', { cid })) as {
    edit: { campaign: { name: string } };
  };
  return detail.edit.campaign.name;
}

test('after a kill between intent and answer, a write that was not stored is unknown and then settled as not stored', async () => {
  expect(await nameAfter('before-stored', 'Not stored')).not.toBe('Named before the crash');
});

test('after a kill between intent and answer, a write that was stored is unknown and then settled as verified', async () => {
  expect(await nameAfter('after-stored', 'Verified')).toBe('Named before the crash');
});

test('a page without its core keeps its rows and shows their age', async () => {
  const { app, loseCore } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await app.cidInRow(1);

  await loseCore();
  await app.until('core away');
  await page
    .getByText(/read (just now|\d+ s ago)/)
    .first()
    .waitFor();
  expect(await app.cidInRow(1)).toBe(cid);
});
