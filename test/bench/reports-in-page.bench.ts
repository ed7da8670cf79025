import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { startChild } from '#test/servers/child.ts';
import { buildProgram } from './report-pages/build.ts';
import { watchMemory, type PageMemory, type PageMemoryWatch } from './report-pages/page-memory.ts';

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string | null;
}

const pages = new URL('../../out/renderer', import.meta.url);
const readLimitMs = 180_000;
const days = 'range=2026-01-01..2026-01-31&compare=none&sort=-revenue';
/** Countries that are expanded, with 101 sub-ids each. */
const expandedCount = 30;

/** A Search report of a million rows in the page: grouped, expanded, scrolled from end to end and brushed over. */
export async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const service = fork(new URL('report-pages/million-rows.ts', import.meta.url));
  const [port] = (await once(service, 'message')) as [number];
  const program = await buildProgram('host');
  const child = startChild(pathToFileURL(program.file), [folder, fileURLToPath(pages)]);
  const address = await child.line();
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByRole('row').nth(5).waitFor();
    return await measure(browser, page, `http://127.0.0.1:${port}`);
  } finally {
    await browser.close();
    process.kill(child.pid, 'SIGTERM');
    await child.ended;
    await program.dispose();
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(browser: Browser, page: Page, origin: string): Promise<Figure[]> {
  await addProfile(page, origin);
  const memory = await watchMemory(browser, page);
  const before = await memory.now();
  await show(page, `search=all&by=geo&by=subid&${days}`);
  await page.getByText('40 rows').or(rows(page).nth(20)).first().waitFor();
  await expandCountries(page);
  const samples: PageMemory[] = [];
  const scroll = (wheel: Wheel): Promise<number> =>
    longestTask(browser, page, async () => void samples.push(...(await scrollThrough(page, memory, wheel))));
  const scrolling = await scroll({ step: 600, steps: 160 });
  const brushing = await longestTask(browser, page, () => brush(page));
  await show(page, `search=7&by=subid&${days}`);
  const jumping = await scroll({ step: 320_000, steps: 100 });
  const heaps = await memory.heaps();
  const collected = await memory.collected();
  const most = (of: keyof PageMemory): number => Math.max(...samples.map((sample) => sample[of]));
  const ms = (name: string, figure: number): Figure => ({ name, figure, unit: 'ms', aim: 'under 50' });
  const mb = (name: string, figure: number, aim: string | null): Figure => ({
    name,
    figure,
    unit: 'MB',
    aim,
  });
  return [
    ms(`longest task while scrolling ${expandedCount} countries with 101 sub-ids each`, scrolling),
    ms('longest task while brushing and showing the days', brushing),
    ms('longest task while scrolling 1,000,000 sub-ids from end to end', jumping),
    mb('JavaScript heap of the page at most', most('heapMb'), 'under 150'),
    mb('the same after a collection', collected.heapMb, null),
    mb(
      'memory of its own that the page’s process has at most, not yet collected',
      most('ownMb'),
      'under 150',
    ),
    mb('the same after a collection', collected.ownMb, 'under 150'),
    mb('the same before it shows a report', before.ownMb, null),
    mb('objects in the heaps for documents and JavaScript after scrolling', heaps.usedMb, null),
    mb('room that these heaps keep free', heaps.freeMb, null),
  ];
}

const rows = (page: Page): Locator =>
  page.locator('[aria-label="Report rows"][aria-busy="false"]').getByRole('row');

/** Adds the profile through the page's own session, and switches to it. */
async function addProfile(page: Page, origin: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.evaluate(async (service) => {
    const call = async (name: string, input: object): Promise<unknown> => {
      const secret = sessionStorage.getItem('countersign.session') ?? '';
      const answer = await fetch(`/api/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-countersign-secret': secret },
        body: JSON.stringify(input),
      });
      if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
      return ((await answer.json()) as { output: unknown }).output;
    };
    const added = await call('profiles.add', {
      name: 'A million rows',
      baseUrl: `${service}/api/v1`,
      apiUrl: service,
      mcpUrl: service,
      zone: 'UTC',
      remoteAccess: 'direct-jwt',
    });
    const { id } = added as { id: string };
    await call('profiles.keepCredential', { id, name: 'publisherKey', value: 'pk_0123456789abcdef' });
    // The page loads itself anew with the profile that became active, so this call has no end of its own.
    void call('profiles.switch', { id });
  }, origin);
  await loaded;
}

/** Opens a report and waits until every row has been read. */
async function show(page: Page, parameters: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `#/reports?${parameters}`);
  await page.getByText(/^read /).waitFor({ timeout: readLimitMs });
  await rows(page).nth(5).waitFor({ timeout: readLimitMs });
}

/** From the last one up, so that those that are still to be expanded stay where they are. */
async function expandCountries(page: Page): Promise<void> {
  const table = page.locator('[aria-label="Report rows"]');
  await table.focus();
  await page.keyboard.press('Home');
  for (let row = 1; row < expandedCount; row += 1) await page.keyboard.press('ArrowDown');
  for (let row = 0; row < expandedCount; row += 1) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
  }
  await page.waitForFunction(
    (least) =>
      Number(document.querySelector('[aria-label="Report rows"]')?.getAttribute('aria-rowcount')) > least,
    expandedCount * 101,
  );
}

interface Wheel {
  step: number;
  steps: number;
}

/** Turns the wheel down and up again. Gives the page's memory meanwhile. */
async function scrollThrough(
  page: Page,
  memory: PageMemoryWatch,
  { step, steps }: Wheel,
): Promise<PageMemory[]> {
  const { x, y, width, height } = await page
    .locator('[aria-label="Report rows"]')
    .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
  await page.mouse.move(x + width / 2, y + height / 2);
  const samples: PageMemory[] = [];
  for (const turn of [step, -step]) {
    for (let count = 0; count < steps; count += 1) {
      await page.mouse.wheel(0, turn);
      await page.waitForTimeout(30);
      if (count % 10 === 0) samples.push(await memory.now());
    }
  }
  return samples;
}

/** Drags over the chart, and lets the days be shown. */
async function brush(page: Page): Promise<void> {
  const { x, y, width } = await page
    .getByRole('slider')
    .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
  await page.mouse.move(x + 5, y + 20);
  await page.mouse.down();
  for (let step = 0; step <= 100; step += 1) await page.mouse.move(x + (width * step) / 110, y + 30);
  await page.mouse.up();
  await page.waitForFunction(() => !location.hash.includes('2026-01-01..2026-01-31'));
  await rows(page).nth(5).waitFor();
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds on the clock, and of processor time of the thread. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * The longest task of the page's main thread meanwhile, in milliseconds of processor time. On a shared machine a task on the clock
 * is as long as the machine was taken away in it.
 */
async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  await page.waitForTimeout(200);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  );
  const times = tasks.flatMap(({ tdur }) => tdur ?? []);
  if (times.length < 100) throw new Error(`Only ${times.length} tasks were traced`);
  return times.reduce((longest, time) => Math.max(longest, time), 0) / 1000;
}
