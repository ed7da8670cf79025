import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { AppPreload } from '#shared/host-api/index.ts';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import { listProcesses } from '../../scripts/lib/processes.ts';
import { openElectronBed, type ElectronBed } from '#test/servers/electron-runtime.ts';

const rounds = 5;
const idleSeconds = 20;
/** Clock ticks per second on Linux. */
const ticksPerSecond = 100;

/** The desktop app in a real Electron: the stages of a start, what it costs at rest, and a long list under load. */
export async function run() {
  const bed = await openElectronBed();
  try {
    const userData = bed.newFolder();
    const first = await startOnce(bed, userData);
    const later: Stages[] = [];
    for (let round = 0; round < rounds; round += 1) later.push(await startOnce(bed, userData));
    const stage = (name: keyof Stages): number => median(later.map((stages) => stages[name]));
    const idle = await idleShare(bed, userData);
    const long = await scrollUnderLoad(bed);
    return [
      figure('first start until the first row (makes the demo data)', first.firstRow, 'ms'),
      figure('start: the host is up', stage('hostUp'), 'ms'),
      figure('start: the page begins to load', stage('pageBegins'), 'ms'),
      figure('start: the core is ready', stage('coreReady'), 'ms'),
      figure(
        `start until the first row is painted, median of ${rounds}`,
        stage('firstRow'),
        'ms',
        'under 1500',
      ),
      figure(`processor at rest over ${idleSeconds} s, all processes`, idle, '% of one core', 'near 0'),
      figure(
        'longest task of the page while 100,000 scroll and the backend is busy',
        long.longestTaskMs,
        'ms',
        'under 50',
      ),
      figure('requests that the backend answered meanwhile', long.answered, 'requests'),
    ];
  } finally {
    await bed.close();
  }
}

function figure(name: string, value: number, unit: string, aim: string | null = null) {
  return { name: `desktop: ${name}`, figure: value, unit, aim };
}

/** Milliseconds from the moment in which the process was started. */
interface Stages {
  hostUp: number;
  pageBegins: number;
  coreReady: number;
  firstRow: number;
}

interface Running {
  page: Page;
  startedAtMs: number;
  stop(): Promise<void>;
}

/** Starts the app without a driver, which would hold its start back, and looks in by the port that Chromium opens. */
async function start(bed: ElectronBed, userData: string): Promise<Running> {
  const startedAtMs = Date.now();
  const ended = bed.run({ userData, args: ['--remote-debugging-port=0'], timeoutMs: 120_000 });
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

async function startOnce(bed: ElectronBed, userData: string): Promise<Stages> {
  const { page, startedAtMs, stop } = await start(bed, userData);
  const { beganAtMs, paintedAtMs } = await page.evaluate(async () => {
    for (;;) {
      const [mark] = performance.getEntriesByName('first row painted');
      const beganAtMs = performance.timeOrigin;
      if (mark !== undefined) return { beganAtMs, paintedAtMs: beganAtMs + mark.startTime };
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  const log = readFileSync(join(userData, 'data', 'logs', 'desktop.log'), 'utf8')
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

/** How much of one core the app's processes take when it is idle. */
async function idleShare(bed: ElectronBed, userData: string): Promise<number> {
  const { page, stop } = await start(bed, userData);
  await page.getByRole('row').nth(1).waitFor();
  // Compilers and caches come to rest first, and the demo's statistics are made once.
  await sleep(20_000);
  const before = ticksOf(userData);
  await sleep(idleSeconds * 1000);
  const used = ticksOf(userData) - before;
  await stop();
  return (used / ticksPerSecond / idleSeconds) * 100;
}

/** Makes 100,000 campaigns with the command, which then lets go of the folder. */
async function makeLongList(bed: ElectronBed, dataFolder: string): Promise<void> {
  const command = join(bed.app, 'out/main/countersign.js');
  const args = [command, 'open', '--no-open', '--data-folder', dataFolder, '--campaigns', '100000'];
  let pid = 0;
  const ended = bed.runNode(args, { timeoutMs: 120_000, onStart: (started) => void (pid = started) });
  // Written when the host is up.
  while (!existsSync(join(dataFolder, 'browser-host.json'))) await sleep(100);
  process.kill(pid, 'SIGTERM');
  await ended;
}

/** Scrolls by wheel and by jumps while searches keep the backend busy, each with a small answer. */
async function scrollUnderLoad(bed: ElectronBed) {
  const userData = bed.newFolder();
  await makeLongList(bed, join(userData, 'data'));
  const { page, stop } = await start(bed, userData);
  await page.getByText('100,000 campaigns').waitFor();
  await skipFirstStart(page);
  await page.evaluate(() => {
    const seen = { longestTaskMs: 0, answered: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
      }
    }).observe({ type: 'longtask' });
    const { requests } = (window as unknown as { countersign: AppPreload }).countersign;
    const ask = async (): Promise<void> => {
      const filter = { query: 'push', status: null, types: [], sort: 'name', order: 'asc' };
      await requests['campaigns.page']({ filter, page: 1 + (seen.answered % 50), perPage: 1 });
      seen.answered += 1;
      void ask();
    };
    for (let lines = 4; lines > 0; lines -= 1) void ask();
  });
  const { width = 0, height = 0 } = (await page.getByRole('grid').boundingBox()) ?? {};
  await page.mouse.move(width / 2 + 200, height / 2 + 150);
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, step % 10 === 9 ? 300_000 : 900);
    await page.waitForTimeout(30);
  }
  type Seen = { seen: { longestTaskMs: number; answered: number } };
  const { seen } = await page.evaluate(() => ({ seen: (window as unknown as Seen).seen }));
  await stop();
  return seen;
}

/** Clock ticks that the app's main process and everything below it have used. */
function ticksOf(userData: string): number {
  const processes = listProcesses();
  const main = processes.filter(({ command }) => command.includes(`--user-data-dir=${userData}`));
  const counted = new Set(main.map(({ pid }) => pid));
  // Children come after their parents often, but not always.
  for (let found = -1; found !== counted.size;) {
    found = counted.size;
    for (const { pid, parent } of processes) if (counted.has(parent)) counted.add(pid);
  }
  return processes.reduce((sum, { pid, ticks }) => (counted.has(pid) ? sum + ticks : sum), 0);
}

function median(figures: number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0;
}
