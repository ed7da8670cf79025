import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import { openElectronBed, type ElectronBed } from '#test/servers/electron-runtime.ts';

const rounds = 5;
const idleSeconds = 20;
/** Clock ticks per second of /proc/<pid>/stat on Linux. */
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
    return [
      figure('first start until the first row (makes the demo data)', first.firstRow, 'ms'),
      figure('start: the host is up and begins the core', stage('hostUp'), 'ms'),
      figure('start: the page begins to load', stage('pageBegins'), 'ms'),
      figure('start: the core is ready', stage('coreReady'), 'ms'),
      figure(
        `start until the first row is painted, median of ${rounds}`,
        stage('firstRow'),
        'ms',
        'under 1500',
      ),
      figure(`processor at rest over ${idleSeconds} s, all processes`, idle, '% of one core', 'near 0'),
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
  const states = log.map((line) => JSON.parse(line) as { time: string; state?: string });
  const at = (state: string): number =>
    Date.parse(states.findLast((line) => line.state === state)?.time ?? '') - startedAtMs;
  await stop();
  return {
    hostUp: at('starting'),
    pageBegins: beganAtMs - startedAtMs,
    coreReady: at('ready'),
    firstRow: paintedAtMs - startedAtMs,
  };
}

/** How much of one core the app's processes take when nobody touches it. */
async function idleShare(bed: ElectronBed, userData: string): Promise<number> {
  const { page, stop } = await start(bed, userData);
  await page.getByRole('row').nth(1).waitFor();
  // Compilers and caches of the start come to rest first.
  await sleep(8000);
  const before = ticksOf(userData);
  await sleep(idleSeconds * 1000);
  const used = ticksOf(userData) - before;
  await stop();
  return (used / ticksPerSecond / idleSeconds) * 100;
}

/** Clock ticks that the app's main process and everything below it have used. */
function ticksOf(userData: string): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(processOf);
  const main = processes.filter(({ command }) => command.includes(`--user-data-dir=${userData}`));
  const counted = new Set(main.map(({ pid }) => pid));
  // Children come after their parents often, but not always.
  for (let found = -1; found !== counted.size;) {
    found = counted.size;
    for (const { pid, parent } of processes) if (counted.has(parent)) counted.add(pid);
  }
  return processes.reduce((sum, { pid, ticks }) => (counted.has(pid) ? sum + ticks : sum), 0);
}

/** A process as /proc shows it (proc(5)); none when it has just ended. */
function processOf(name: string): { pid: number; parent: number; ticks: number; command: string }[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
    return [
      { pid: Number(name), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0), command },
    ];
  } catch {
    return [];
  }
}

function median(figures: number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0;
}
