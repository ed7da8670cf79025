import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppPreload } from '#shared/host-api/index.ts';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import { openElectronBed, type ElectronBed } from '#test/servers/electron-runtime.ts';
import { processorSecondsOf } from './desktop/processes.ts';
import { measureTraining } from './desktop/training.ts';
import { median, type Stages, start, startOnce } from './desktop/start.ts';

const rounds = 5;
const idleSeconds = 20;

/**
 * Measures the desktop app in a real Electron: the stages of a start, its cost when idle, a long list under load, and
 * training.
 */
export async function run() {
  const bed = await openElectronBed();
  try {
    const userData = bed.newFolder();
    const first = await startOnce(bed, { userData });
    const later: Stages[] = [];
    for (let round = 0; round < rounds; round += 1) later.push(await startOnce(bed, { userData }));
    const stage = (name: keyof Stages): number => median(later.map((stages) => stages[name] ?? NaN));
    const idle = await idleShare(bed, userData);
    const long = await scrollUnderLoad(bed);
    const training = await measureTraining(bed);
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
      figure('from the press on Training to its page', training.openMs, 'ms'),
      figure(
        'from the press on Start to the briefing, first mission',
        training.firstBriefingMs,
        'ms',
        'under 2000',
      ),
      figure('from the press on Start to the briefing, median of 5', training.briefingMs, 'ms', 'under 2000'),
      figure('memory of the process of training, no mission', megabytes(training.homeBytes), 'MB'),
      figure('memory of the process of training, with a mission', megabytes(training.missionBytes), 'MB'),
      figure(
        'memory that training adds with its window, shared pages once',
        megabytes(training.addedBytes),
        'MB',
      ),
    ];
  } finally {
    await bed.close();
  }
}

function figure(name: string, value: number, unit: string, aim: string | null = null) {
  return { name: `desktop: ${name}`, figure: value, unit, aim };
}

const megabytes = (bytes: number): number => bytes / 1_000_000;

/** Returns the percentage of one core that the app's processes use when idle. */
async function idleShare(bed: ElectronBed, userData: string): Promise<number> {
  const { page, stop } = await start(bed, { userData });
  await page.getByRole('row').nth(1).waitFor();
  // Compilers and caches must settle first, and the demo's statistics are made once after a start.
  await sleep(20_000);
  const before = processorSecondsOf(userData);
  await sleep(idleSeconds * 1000);
  const used = processorSecondsOf(userData) - before;
  await stop();
  return (used / idleSeconds) * 100;
}

/** Makes 100,000 campaigns with the command, which exits afterwards and so releases the folder. */
async function makeLongList(bed: ElectronBed, dataFolder: string): Promise<void> {
  const command = join(bed.app, 'out/main/countersign.cjs');
  const args = [command, 'open', '--no-open', '--data-folder', dataFolder, '--campaigns', '100000'];
  let pid = 0;
  const ended = bed.runNode(args, { timeoutMs: 120_000, onStart: (started) => void (pid = started) });
  // The host writes this file when it is ready.
  while (!existsSync(join(dataFolder, 'browser-host.json'))) await sleep(100);
  process.kill(pid, 'SIGTERM');
  await ended;
}

/** Scrolls by wheel and by jumps while searches with small answers keep the backend busy. */
async function scrollUnderLoad(bed: ElectronBed) {
  const userData = bed.newFolder();
  await makeLongList(bed, join(userData, 'data'));
  const { page, stop } = await start(bed, { userData });
  await page.getByText('100,000 campaigns', { exact: true }).waitFor();
  await skipFirstStart(page);
  await page.evaluate(() => {
    const seen = { longestTaskMs: 0, answered: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
      }
    }).observe({ type: 'longtask' });
    const bridge = (window as unknown as { countersign: AppPreload }).countersign;
    const ask = async (): Promise<void> => {
      const filter = { query: 'push', status: null, types: [], sort: 'name', order: 'asc' };
      await bridge.ask('campaigns.page', { filter, page: 1 + (seen.answered % 50), perPage: 1 });
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
