import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright';
import type { AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { startChild } from '#test/servers/child.ts';
import { longestTask } from './longest-task.ts';
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
const halfMonth = 'range=2026-01-16..2026-01-30';
/** Half a million rows, compared with the half million before them. */
const comparedDays = `${halfMonth}&compare=previous&sort=-revenue`;
/** The number of countries that are expanded, with 101 sub-IDs each. */
const expandedCount = 30;

/**
 * Measures the first figures on the drawn page, and a Search report of a million rows: compared, with heat map, expanded,
 * scrolled and brushed.
 */
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
  const first = await firstFigures(page);
  await addProfile(page, origin);
  await withHeat(page);
  const memory = await watchMemory(browser, page);
  const before = await memory.now();
  await show(page, `search=all&by=geo&by=subid&${comparedDays}`);
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
    ...first,
    ms(
      `longest task while scrolling ${expandedCount} countries with 101 sub-ids each, compared and with heat`,
      scrolling,
    ),
    ms('longest task while brushing and showing the days', brushing),
    ms('longest task while scrolling 1,000,000 sub-ids with heat from end to end', jumping),
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

function ask<Output>(page: Page, name: AppRequest, input: object): Promise<Output> {
  return page.evaluate(
    async ([request, body]) => {
      const secret = sessionStorage.getItem('countersign.session') ?? '';
      const answer = await fetch(`/api/${request}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-countersign-secret': secret },
        body,
      });
      if (!answer.ok) throw new Error(`${request}: ${await answer.text()}`);
      return ((await answer.json()) as { output: Output }).output;
    },
    [name, JSON.stringify(input)] as const,
  );
}

/**
 * Measures from navigation to a report of the demo until its first row is drawn: for a source that was never read, and then
 * from the cache.
 */
async function firstFigures(page: Page): Promise<Figure[]> {
  const { tids, sids } = await ask<AppOutput<'reports.sources'>>(page, 'reports.sources', {});
  const [warm = 0, ...others] = tids;
  const measured = others.map((tid) => `xml=${tid}&range=last90&by=date&compare=none`);
  // With the first report the demo makes its statistics and the page loads the code of reports.
  await drawnMs(page, `xml=${warm}&range=last90&by=date`);
  await drawnMs(page, `search=${sids[0] ?? 'all'}&range=last90&by=date`);
  const fresh: number[] = [];
  const cached: number[] = [];
  for (const parameters of measured.slice(0, 5)) fresh.push(await drawnMs(page, parameters));
  for (const parameters of measured.slice(0, 5)) cached.push(await drawnMs(page, parameters));
  const figure = (name: string, times: readonly number[], aim: string): Figure => ({
    name: `${name}, median of ${times.length}`,
    figure: median(times),
    unit: 'ms',
    aim,
  });
  return [
    figure('first figures of 90 days from the embedded service, drawn', fresh, 'under 400'),
    figure('first figures of 90 cached days, drawn', cached, 'under 100'),
  ];
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function drawnMs(page: Page, parameters: string): Promise<number> {
  await page.evaluate(() => void (location.hash = '#/campaigns'));
  await page.getByLabel('Search campaigns').waitFor();
  const ms = await page.evaluate(async (hash) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const drawn = '[aria-label="Report rows"][aria-busy="false"] [aria-rowindex="2"]:not([aria-busy="true"])';
    const from = performance.now();
    location.hash = hash;
    while (document.querySelector(drawn) === null) await frame();
    await frame();
    return performance.now() - from;
  }, `#/reports?${parameters}`);
  await page.getByText(/^read /).waitFor({ timeout: readLimitMs });
  return ms;
}

/** Stores the setting of the heat map as the column chooser does, and reloads the page. */
async function withHeat(page: Page): Promise<void> {
  await page.evaluate(() =>
    localStorage.setItem('countersign.reports', JSON.stringify({ search: { heat: true } })),
  );
  await page.reload({ waitUntil: 'load' });
}

async function addProfile(page: Page, service: string): Promise<void> {
  const { id } = await ask<{ id: string }>(page, 'profiles.add', {
    name: 'A million rows',
    baseUrl: `${service}/api/v1`,
    apiUrl: service,
    mcpUrl: service,
    zone: 'UTC',
    remoteAccess: 'direct-jwt',
  });
  await ask(page, 'profiles.keepCredential', { id, name: 'publisherKey', value: 'pk_0123456789abcdef' });
  const loaded = page.waitForEvent('load');
  // The page reloads itself with the new active profile, so this call never returns.
  await ask(page, 'profiles.switch', { id }).catch(() => undefined);
  await loaded;
}

async function show(page: Page, parameters: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `#/reports?${parameters}`);
  await page.getByText(/^read /).waitFor({ timeout: readLimitMs });
  await rows(page).nth(5).waitFor({ timeout: readLimitMs });
}

/** Expands from the last country up, so that the countries that follow do not move. */
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

/** Scrolls down and up again with the wheel. Returns the page's memory meanwhile. */
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

/** Brushes a range on the chart and waits until its days are shown. */
async function brush(page: Page): Promise<void> {
  const { x, y, width } = await page
    .getByRole('slider')
    .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
  await page.mouse.move(x + 5, y + 20);
  await page.mouse.down();
  for (let step = 0; step <= 100; step += 1) await page.mouse.move(x + (width * step) / 110, y + 30);
  await page.mouse.up();
  await page.waitForFunction((range) => !location.hash.includes(range), halfMonth);
  await rows(page).nth(5).waitFor();
}
