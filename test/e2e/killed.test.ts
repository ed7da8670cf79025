import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startChild, type Child } from '#test/servers/child.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { openApp, type AppDriver } from './driver/app.ts';
import { launchChromium } from './driver/chromium.ts';
import { openContext } from './driver/session.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function start(dataFolder: string, when: 'never' | 'before' | 'after'): Promise<[Child, AppDriver]> {
  const child = startChild(new URL('../servers/host-process.ts', import.meta.url), [dataFolder, when]);
  onTestFinished(() => child.kill());
  const { context } = await openContext(browser, {});
  return [child, await openApp(context, await child.line())];
}

async function approveAName(app: AppDriver): Promise<number> {
  await app.until('first row');
  const cid = await app.cidInRow(1);
  await app.open(cid);
  await app.edit(cid, 'Name', 'Named before the crash');
  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  return cid;
}

/** Starts again, waits until the outcome is settled in this state, and gives the name that the campaign has then. */
async function nameAfterRestart(dataFolder: string, state: string, cid: number): Promise<string> {
  const [, app] = await start(dataFolder, 'never');
  await app.goTo('Proposals');
  await app.page.getByText(state, { exact: true }).first().waitFor();
  await app.goTo('Ledger');
  await app.page.getByText('Ledger verified').waitFor();
  await app.page.getByText('Outcome unknown: Rename').waitFor();
  await app.goTo('Campaigns');
  const panel = await app.open(cid);
  return panel.getByLabel('Name', { exact: true }).inputValue();
}

test('killed between intent and answer, before the service stored it: restarted, unknown, settled as not stored', async () => {
  const dataFolder = tempFolder();
  const [child, app] = await start(dataFolder, 'before');
  const cid = await approveAName(app);
  expect(await child.line()).toBe('held');
  await child.kill();
  expect(await nameAfterRestart(dataFolder, 'Not stored', cid)).not.toBe('Named before the crash');
});

test('killed between intent and answer, after the service stored it: restarted, unknown, settled as verified', async () => {
  const dataFolder = tempFolder();
  const [child, app] = await start(dataFolder, 'after');
  const cid = await approveAName(app);
  await child.ended;
  expect(await nameAfterRestart(dataFolder, 'Verified', cid)).toBe('Named before the crash');
});
