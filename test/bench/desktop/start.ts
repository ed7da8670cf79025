import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';
import type { ElectronBed, ElectronLaunch } from '#test/servers/electron-runtime.ts';

/** A program and its data folder. The program is the staged app, or a packaged one that allows debugging. */
export type Launch = Pick<ElectronLaunch, 'program'> & { userData: string };

const appAddress = 'countersign://app/';

/** Milliseconds since the process was started. */
export interface Stages {
  hostUp: number;
  pageBegins: number;
  coreReady: number;
  /** Rows of the last session. Null at a first start. */
  keptRow: number | null;
  firstRow: number;
}

export interface Running {
  page: Page;
  startedAtMs: number;
  stop(): Promise<void>;
}

/** Starts the app without a driver, because a driver would delay the start. Connects through Chromium's debugging port. */
export async function start(
  bed: ElectronBed,
  { userData, program }: Launch,
  address = appAddress,
): Promise<Running> {
  const startedAtMs = Date.now();
  const ended = bed.run({
    ...(program && { program }),
    userData,
    args: ['--remote-debugging-port=0'],
    timeoutMs: 120_000,
  });
  const browser = await connect(join(userData, 'DevToolsActivePort'), startedAtMs);
  const page = await pageAt(browser, address);
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

async function pageAt(browser: Browser, address: string): Promise<Page> {
  for (;;) {
    const pages = browser.contexts().flatMap((context) => context.pages());
    const page = pages.find((page) => page.url().startsWith(address));
    if (page !== undefined) return page;
    await sleep(20);
  }
}

export async function startOnce(bed: ElectronBed, launch: Launch): Promise<Stages> {
  const { page, startedAtMs, stop } = await start(bed, launch);
  const { beganAtMs, keptAtMs, paintedAtMs } = await page.evaluate(async () => {
    for (;;) {
      const [mark] = performance.getEntriesByName('first row painted');
      const [kept] = performance.getEntriesByName('kept rows painted');
      const beganAtMs = performance.timeOrigin;
      const keptAtMs = kept === undefined ? null : beganAtMs + kept.startTime;
      if (mark !== undefined) return { beganAtMs, keptAtMs, paintedAtMs: beganAtMs + mark.startTime };
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
    keptRow: keptAtMs === null ? null : keptAtMs - startedAtMs,
    firstRow: paintedAtMs - startedAtMs,
  };
}

/**
 * Milliseconds from the start of a program until its page has painted its first text. `address` is the beginning of the
 * page's URL.
 */
export async function firstPaint(bed: ElectronBed, launch: Launch, address: string): Promise<number> {
  const { page, startedAtMs, stop } = await start(bed, launch, address);
  const paintedAtMs = await page.evaluate(async () => {
    for (;;) {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      if (paint !== undefined) return performance.timeOrigin + paint.startTime;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  await stop();
  return paintedAtMs - startedAtMs;
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0;
}
