import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFaults } from '../driver/axe.ts';
import { workerChromium } from '../driver/chromium.ts';
import { servePage, type ServedPage } from './served-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-chart-'));
let charts: ServedPage;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  charts = await servePage(import.meta.dirname, folder);
});
afterAll(async () => {
  await charts.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await (await workerChromium()).newPage({ viewport: { width: 1100, height: 700 } });
  complaints = [];
  // Violations of the content security policy appear on the console.
  page.on('console', (message) => message.type() !== 'log' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.close();
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
});

/** Opens a scene and returns the part of its chart that takes mouse and keyboard input. */
async function open(scene: string): Promise<Locator> {
  await page.goto(charts.url(scene));
  return page.getByRole('slider');
}

const calls = (): Promise<string[]> => page.evaluate(() => (window as unknown as { calls: string[] }).calls);

/** Drags over the chart; `from` and `to` are fractions of its width. */
async function drag(slider: Locator, from: number, to: number): Promise<void> {
  const { x, y, width } = await slider.evaluate((element) => element.getBoundingClientRect());
  await page.mouse.move(x + width * from, y + 50);
  await page.mouse.down();
  await page.mouse.move(x + width * ((from + to) / 2), y + 60);
  await page.mouse.move(x + width * to, y + 60);
}

test('the keyboard moves a cursor over the days with their difference, selects days, and opens changes', async () => {
  const slider = await open('days=30&shown=clicks,revenue&compare&incomplete&markers');
  await slider.focus();
  await page.keyboard.press('Home');
  const text = (): Promise<string | null> => slider.getAttribute('aria-valuetext');
  expect(await text()).toBe(
    'Sat, 24 Oct 2026: Clicks 55,800, 52,957 fewer (−48.7%); Revenue $675.18, $640.78 less (−48.7%). Compared with Thu, 24 Sep 2026',
  );
  await page.keyboard.press('End');
  expect(await text()).toMatch(/^Sun, 22 Nov 2026, incomplete: Clicks/);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.getByText('Press Enter to show 20 Nov 2026 to 22 Nov 2026 (3 days)').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
  expect(await text()).toContain('1 change, Enter opens');
  await page.keyboard.press('Enter');
  expect(await calls()).toEqual(['range 2026-11-20 2026-11-22', 'marker one']);

  await slider.focus();
  for (const key of ['Home', 'PageUp', ...Array<string>(4).fill('ArrowRight'), 'Enter']) {
    await page.keyboard.press(key);
  }
  await page.getByRole('menuitem', { name: 'Resumed “FR pop”' }).click();
  expect((await calls()).at(-1)).toBe('marker three');
});

test('dragging the mouse narrows the range to the dragged days, and Escape cancels the selection', async () => {
  const slider = await open('days=30&shown=clicks');
  await drag(slider, 0.34, 0.98);
  await page.mouse.up();
  expect(await calls()).toEqual(['range 2026-11-03 2026-11-22']);
  await slider.focus();
  await drag(slider, 0.1, 0.5);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await calls()).toHaveLength(1);
});

test('a table for screen readers contains the figures of the chart, with a dash for a missing figure', async () => {
  await open('days=30&shown=clicks,revenue&compare&incomplete');
  const table = page.getByRole('table', { name: 'clicks and revenue by day' });
  await expect
    .poll(() => table.getByRole('columnheader').allTextContents())
    .toEqual(['Day', 'Clicks', 'Revenue', 'Compared day', 'Clicks (compared)', 'Revenue (compared)']);
  const cells = async (row: number): Promise<string[]> =>
    table.getByRole('row').nth(row).locator('th,td').allTextContents();
  expect(await cells(1)).toEqual([
    'Sat, 24 Oct 2026',
    '55,800',
    '$675.18',
    'Thu, 24 Sep 2026',
    '108,757',
    '$1,315.96',
  ]);
  expect((await cells(10)).slice(0, 3)).toEqual(['Mon, 2 Nov 2026', '—', '—']);
  expect((await cells(30))[0]).toBe('Sun, 22 Nov 2026 (incomplete)');
});

test('a bar filters by its value, arrow keys move between bars, and untrusted text stays plain text', async () => {
  await open('days=7');
  const list = page.getByRole('list', { name: 'Largest countries by clicks' });
  await expect
    .poll(() => list.getByRole('listitem').allTextContents())
    .toMatchObject([
      'Brazil (BR)+2.8%812,34540.6% of total',
      'Germany (DE)±0402,11120.1% of total',
      'United States (US)×18.5388,02019.4% of total',
      'xU+202E<b>evil</b>120,4006.0% of total',
      'Empty+44440.0% of total',
      'Not reported—',
      '51 others−59.7%277,08013.9% of total',
    ]);
  await list.getByRole('button').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await calls()).toEqual(['pick DE']);
  await expect.poll(() => list.getByRole('button', { pressed: true }).textContent()).toContain('Germany');
});

test('axe finds no accessibility fault in charts of any shape', async () => {
  for (const scene of ['days=30&shown=clicks,revenue&compare&incomplete&markers', 'days=1', 'days=0']) {
    await open(scene);
    await page.getByRole('list', { name: 'Largest countries by clicks' }).waitFor();
    if (!scene.endsWith('=0')) {
      await page.getByRole('slider').focus();
      await page.keyboard.press('Home');
    }
    expect(await axeFaults(page)).toEqual([]);
  }
});

function decoded(png: string): Promise<{ width: number; height: number; corner: number[] }> {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const corner = [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
    return { width: bitmap.width, height: bitmap.height, corner };
  }, png);
}

test('the saved picture is always light, has twice the resolution of the screen, and grows with its text', async () => {
  await open('days=30&shown=clicks,revenue&compare&incomplete&theme=dark');
  const png = (theme: string): Promise<string> =>
    page.evaluate(
      (theme) => (window as unknown as { png(theme: string): Promise<string> }).png(theme),
      theme,
    );
  const paper = await decoded(await png('paper'));
  expect(paper).toMatchObject({ width: 2400, corner: [255, 255, 255, 255] });
  const dark = await decoded(await png('current'));
  expect(dark.corner).toEqual([0x12, 0x16, 0x1c, 255]);
  await open(`days=30&filters=${'x'.repeat(900)}`);
  expect((await decoded(await png('paper'))).height).toBeGreaterThan(paper.height);
});

test('a printed report contains the chart and the table on white, without the page around them, even from the dark theme', async () => {
  await open('days=30&theme=dark');
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('section[data-paper]');
  await sheet.getByText('The first 60 rows of 1,234.').waitFor();
  expect(await page.getByRole('slider').isVisible()).toBe(false);
  expect(await sheet.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  const [canvas, table] = await Promise.all(
    ['canvas', 'table'].map((name) =>
      sheet.locator(name).evaluate((part) => part.getBoundingClientRect().width),
    ),
  );
  expect(Math.round(canvas ?? 0)).toBeGreaterThanOrEqual(Math.round(table ?? 0));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('slider').waitFor();
  expect(await sheet.count()).toBe(0);
});
