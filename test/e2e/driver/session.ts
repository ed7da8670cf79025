import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Backend, Faults } from '#core/backend/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createFaults } from '#core/backend/index.ts';
import { demoAccounts } from '#core/backend/demo-data/accounts.ts';
import Database from 'better-sqlite3';
import { startBrowserHost, type BrowserHost } from '#headless/browser-host/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { openApp, type AppDriver } from './app.ts';
import { createSecondClient, type SecondClient } from './second-client.ts';

/** A running app with everything around it that a scenario needs. Ends by itself with the test. */
export interface Session {
  app: AppDriver;
  context: BrowserContext;
  host: BrowserHost;
  /** What the service shall do wrong. */
  faults: Faults;
  /** Somebody else with the same account. */
  second: SecondClient;
  dataFolder: string;
  /** Makes a campaign somebody else's, behind everybody's back. */
  giveAway(cid: number): void;
  /** What the pages complained of: errors, refused resources, requests to elsewhere. */
  complaints: string[];
}

export interface SessionOptions {
  requestMs?: number;
  demoCampaigns?: number;
  dataFolder?: string;
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  /** The host's clock; the pages keep the machine's. */
  clock?: Clock;
}

/** Starts the browser host in this process and opens its address in a fresh context. */
export async function startSession(browser: Browser, options: SessionOptions = {}): Promise<Session> {
  const dataFolder = options.dataFolder ?? tempFolder();
  const faults = createFaults();
  const service: { backend?: Backend } = {};
  const host = await startBrowserHost({
    dataFolder,
    rendererFolder: new URL('../../../out/renderer', import.meta.url).pathname,
    version: '0.1.0',
    faults,
    timeouts: { requestMs: options.requestMs ?? 15_000 },
    demoCampaigns: options.demoCampaigns ?? 400,
    ...(options.clock && { clock: options.clock }),
    onDemoService: (backend) => void (service.backend = backend),
  });
  onTestFinished(() => host.dispose());
  const { context, complaints } = await openContext(browser, options);
  const app = await openApp(context, host.address());
  if (service.backend === undefined) throw new Error('The core made no Demo service');
  const second = createSecondClient(service.backend, host.core.info.serviceUrl);
  const giveAway = (cid: number): void => giveCampaignAway(join(dataFolder, 'backend.sqlite'), cid);
  return { app, context, host, faults, second, dataFolder, giveAway, complaints };
}

/** A browser profile of this test's own, whose pages may speak to the loopback only. */
export async function openContext(
  browser: Browser,
  { colorScheme = 'light', viewport = { width: 1280, height: 800 } }: SessionOptions,
): Promise<{ context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await takePictures(context);
    await context.close();
  });
  context.setDefaultTimeout(12_000);
  const complaints: string[] = [];
  context.on('weberror', ({ error }) => void complaints.push(error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) complaints.push(`asked for ${request.url()}`);
  });
  return { context, complaints };
}

/** No client can do this; the service's operator can. */
function giveCampaignAway(file: string, cid: number): void {
  const database = new Database(file);
  try {
    const { uid } = demoAccounts('northwind').neighbour;
    database.prepare('UPDATE campaign SET uid = ? WHERE cid = ?').run(uid, cid);
  } finally {
    database.close();
  }
}

/** What every page of a failed scenario showed last, in `test/.output`. */
async function takePictures(context: BrowserContext): Promise<void> {
  const folder = new URL('../../.output/', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const name = (expect.getState().currentTestName ?? 'scenario').replaceAll(/\W+/g, '-').slice(0, 80);
  for (const [index, page] of context.pages().entries()) {
    await page.screenshot({ path: join(folder, `${name}-${index}.png`) });
  }
}
