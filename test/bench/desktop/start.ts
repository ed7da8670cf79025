import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { ElectronBed, ElectronLaunch } from '#test/servers/electron-runtime.ts';

/** Program and its data folder: the staged app, or the program of a packaged one that can be looked into. */
export type Launch = Pick<ElectronLaunch, 'program'> & { userData: string };

/** Milliseconds from the moment in which the process was started. */
export interface Stages {
  hostUp: number;
  pageBegins: number;
  coreReady: number;
  firstRow: number;
}

export interface Running {
  page: Page;
  startedAtMs: number;
  stop(): Promise<void>;
}

/** Starts the app without a driver, which would hold its start back, and looks in by the port that Chromium opens. */
export async function start(bed: ElectronBed, { userData, program }: Launch): Promise<Running> {
  const startedAtMs = Date.now();
  const ended = bed.run({
    ...(program && { program }),
    userData,
    args: ['--remote-debugging-port=0'],
    timeoutMs: 120_000,
  });
  const browser = await connect(join(userData, 'DevToolsActivePort'), startedAtMs);
  const page = await appPage(browser);
  return {
    page,
    startedAtMs,
    async stop() {
      const session = await browser.newBrowserCDPSession();
      await session.send('Browser.close').catch(() => undefined);
      await ended;
    },
  };
}

async function connect(portFile: string, startedAtMs: number): Promise<Browser> {
  for (;;) {
    if (existsSync(portFile)) {
      const [port = ''] = readFileSync(portFile, 'utf8').split('\n');
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => null);
      if (browser !== null) return browser;
    }
    if (Date.now() - startedAtMs > 30_000) throw new Error('The app opened no port to look in by');
    await sleep(20);
  }
}

async function appPage(browser: Browser): Promise<Page> {
  for (;;) {
    const pages = browser.contexts().flatMap((context) => context.pages());
    const page = pages.find((page) => page.url().startsWith('countersign://app/'));
    if (page !== undefined) return page;
    await sleep(20);
  }
}

export async function startOnce(bed: ElectronBed, launch: Launch): Promise<Stages> {
  const { page, startedAtMs, stop } = await start(bed, launch);
  const { beganAtMs, paintedAtMs } = await page.evaluate(async () => {
    for (;;) {
      const [mark] = performance.getEntriesByName('first row painted');
      const beganAtMs = performance.timeOrigin;
      if (mark !== undefined) return { beganAtMs, paintedAtMs: beganAtMs + mark.startTime };
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  const log = readFileSync(join(launch.userData, 'data', 'logs', 'desktop.log'), 'utf8')
    .trim()
    .split('\n');
  const lines = log.map((line) => JSON.parse(line) as { time: string; msg: string; state?: string });
  const at = (wanted: string): number =>
    Date.parse(lines.findLast(({ msg, state }) => (state ?? msg) === wanted)?.time ?? '') - startedAtMs;
  await stop();
  return {
    hostUp: at('The desktop host is up'),
    pageBegins: beganAtMs - startedAtMs,
    coreReady: at('ready'),
    firstRow: paintedAtMs - startedAtMs,
  };
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0;
}
