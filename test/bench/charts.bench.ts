import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { servePage } from '#test/e2e/chart/served-page.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';

/** Measures what a chart of 400 days with two metrics and their comparison costs the page. */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const charts = await servePage(fileURLToPath(new URL('../e2e/chart', import.meta.url)), folder);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(charts.url('days=400&shown=clicks,revenue&compare&markers'));
    const slider = page.getByRole('slider');
    await slider.waitFor();
    await page.evaluate(() => {
      const seen = { longestTaskMs: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
      }).observe({ type: 'longtask' });
    });
    const longest = async (): Promise<number> => {
      const read = () => {
        const { seen } = window as unknown as { seen: { longestTaskMs: number } };
        const { longestTaskMs } = seen;
        seen.longestTaskMs = 0;
        return longestTaskMs;
      };
      await page.waitForTimeout(100);
      return page.evaluate(read);
    };
    await longest();
    const { x, y, width } = await slider.evaluate((element) => element.getBoundingClientRect());
    await page.mouse.move(x + 5, y + 20);
    await page.mouse.down();
    for (let step = 0; step <= 100; step += 1) await page.mouse.move(x + (width * step) / 101, y + 30);
    await page.mouse.up();
    const brushing = await longest();
    for (let round = 0; round < 6; round += 1) {
      await page.setViewportSize({ width: 1100 + round * 40, height: 800 });
      await page.evaluate(() => (window as unknown as { nextDay(): void }).nextDay());
      await page.waitForTimeout(150);
    }
    const redrawing = await longest();
    const row = { unit: 'ms', aim: 'under 50' };
    return [
      { name: 'longest task while brushing over 400 days', figure: brushing, ...row },
      {
        name: 'longest task while 400 days, two figures and both compared are drawn again',
        figure: redrawing,
        ...row,
      },
    ];
  } finally {
    await browser.close();
    await charts.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
