import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { startChild } from '#test/servers/child.ts';

const rounds = 5;
const rowHeight = 32;

/**
 * Measures the time from the start of the built app to the first painted campaign row, and the cost of a long list to the
 * page.
 */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const browser = await launchChromium();
  try {
    const first = await startUntilFirstRow(browser, join(folder, 'small'), 400);
    const later: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      later.push(await startUntilFirstRow(browser, join(folder, 'small'), 400));
    }
    const long = await scrollLongList(browser, join(folder, 'large'));
    return [
      {
        name: 'first start until the first row is painted (makes the demo data)',
        figure: first,
        unit: 'ms',
        aim: null,
      },
      {
        name: `start until the first row is painted, median of ${rounds}`,
        figure: median(later),
        unit: 'ms',
        aim: 'under 1500',
      },
      {
        name: 'rows in the page at most while scrolling 100,000',
        figure: long.maxRows,
        unit: 'rows',
        aim: `a screenful (${long.screenful})`,
      },
      {
        name: 'longest task of the page while scrolling 100,000',
        figure: long.longestTaskMs,
        unit: 'ms',
        aim: 'under 50',
      },
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const program = new URL('../../out/main/countersign.cjs', import.meta.url);

interface Started {
  page: Page;
  stop(): Promise<void>;
}

async function start(browser: Browser, dataFolder: string, campaigns: number): Promise<Started> {
  const child = startChild(program, [
    'open',
    '--no-open',
    '--data-folder',
    dataFolder,
    '--campaigns',
    String(campaigns),
  ]);
  let address = '';
  while (!address.startsWith('http')) address = (await child.line()).trim();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(address, { waitUntil: 'commit' });
  return {
    page,
    async stop() {
      await page.close();
      process.kill(child.pid, 'SIGTERM');
      await child.ended;
    },
  };
}

/** Milliseconds from the start of the process until a frame with a campaign row has been painted. */
async function startUntilFirstRow(browser: Browser, dataFolder: string, campaigns: number): Promise<number> {
  const startedAtMs = Date.now();
  const { page, stop } = await start(browser, dataFolder, campaigns);
  const paintedAtMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const drawn = document.querySelector(
            '[role="row"] [role="checkbox"], [role="row"] input[type="checkbox"]',
          );
          const rows = document.querySelectorAll(
            '[role="rowgroup"] [role="row"] [role="gridcell"]:nth-child(3)',
          );
          const text = rows[0]?.textContent ?? '';
          if (drawn === null || text === '') requestAnimationFrame(look);
          // The row is painted in the frame after the frame in which it was found.
          else requestAnimationFrame(() => setTimeout(() => resolve(Date.now()), 0));
        };
        look();
      }),
  );
  await stop();
  return paintedAtMs - startedAtMs;
}

/** Scrolls a list of 100,000 campaigns with the wheel and by jumps, and measures the page. */
async function scrollLongList(browser: Browser, dataFolder: string) {
  const { page, stop } = await start(browser, dataFolder, 100_000);
  await page.getByText('100,000 campaigns', { exact: true }).waitFor();
  await page.getByRole('row').nth(5).waitFor();
  await skipFirstStart(page);
  await page.evaluate(() => {
    const seen = { maxRows: 0, longestTaskMs: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
    }).observe({ type: 'longtask' });
    const count = (): void => {
      seen.maxRows = Math.max(seen.maxRows, document.querySelectorAll('[role="row"]').length);
      requestAnimationFrame(count);
    };
    count();
  });
  const { width = 0, height = 0 } = (await page.getByRole('grid').boundingBox()) ?? {};
  await page.mouse.move(width / 2 + 200, height / 2 + 150);
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, step % 10 === 9 ? 300_000 : 900);
    await page.waitForTimeout(30);
  }
  const seen = await page.evaluate(
    () => (window as unknown as { seen: { maxRows: number; longestTaskMs: number } }).seen,
  );
  await stop();
  return { ...seen, screenful: Math.ceil(height / rowHeight) };
}

function median(figures: number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0;
}
