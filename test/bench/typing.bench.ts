import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { startChild } from '#test/servers/child.ts';
import { longestTask } from './longest-task.ts';

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string | null;
}

const program = new URL('../../out/main/countersign.cjs', import.meta.url);
const drafted = 5_000;
const listed = 100_000;
const patienceMs = 300_000;
const keys = 60;

/**
 * Measures typing into a field of the panel, of the full editor and of a cell, in an account with thousands of drafts, and
 * into a cell of a list of 100,000 campaigns.
 */
export async function run(): Promise<Figure[]> {
  return [
    ...(await inAccount(drafted, measure)),
    ...(await inAccount(listed, async (browser, page) => [
      await typeInCell(browser, page, `${listed} campaigns`),
    ])),
  ];
}

async function inAccount(
  campaigns: number,
  work: (browser: Browser, page: Page) => Promise<Figure[]>,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const child = startChild(program, [
    'open',
    '--no-open',
    '--data-folder',
    folder,
    '--campaigns',
    String(campaigns),
  ]);
  const browser = await launchChromium();
  try {
    let address = '';
    while (!address.startsWith('http')) address = (await child.line()).trim();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patienceMs);
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByRole('row').nth(5).waitFor();
    await skipFirstStart(page);
    return await work(browser, page);
  } finally {
    await browser.close();
    process.kill(child.pid, 'SIGTERM');
    await child.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(browser: Browser, page: Page): Promise<Figure[]> {
  await watchReads(page);
  const cid = await draftAll(page);
  await page.getByLabel(`${drafted} drafted`).waitFor();
  const figures: Figure[] = [];
  for (const [where, hash] of [
    ['the panel beside the list', `#/campaigns/${cid}`],
    ['the page of the whole campaign', `#/campaigns/${cid}/identity`],
  ] as const) {
    await page.evaluate((place) => (location.hash = place), hash);
    const field = page.getByRole('region', { name: `Campaign ${cid}` }).getByLabel('Name', { exact: true });
    await field.click();
    await page.waitForTimeout(1_000);
    await readMeanwhile(page);
    const figure = await longestTask(browser, page, async () => {
      // The typing lasts several seconds, so that drafts are stored and read again meanwhile.
      await page.keyboard.type('x'.repeat(keys), { delay: 60 });
      await page.waitForTimeout(1_000);
    });
    const { bytes, reads } = await readMeanwhile(page);
    if (reads === 0) throw new Error('Nothing was read while text was typed');
    const name = `longest task while a name is typed in ${where}, of ${drafted} drafted campaigns`;
    figures.push(
      { name, figure, unit: 'ms', aim: 'under 50' },
      { name: 'each of the reads of drafts meanwhile', figure: bytes / reads, unit: 'bytes', aim: null },
    );
  }
  figures.push(await typeInCell(browser, page, `${drafted} drafted campaigns`));
  return figures;
}

async function typeInCell(browser: Browser, page: Page, of: string): Promise<Figure> {
  await page.evaluate(() => (location.hash = '#/campaigns'));
  const cell = page.locator('[role=row][aria-rowindex="3"]').getByRole('gridcell').nth(2);
  await cell.dblclick();
  await page.locator('[role=grid] input:not([type=checkbox])').waitFor();
  const figure = await longestTask(browser, page, async () => {
    await page.keyboard.type('x'.repeat(keys), { delay: 60 });
  });
  await page.keyboard.press('Escape');
  const name = `longest task while a name is typed in a cell of the list, of ${of}`;
  return { name, figure, unit: 'ms', aim: 'under 50' };
}

async function watchReads(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watched = { bytes: 0, reads: 0 };
    Object.assign(window, { watched });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
        if (!entry.name.endsWith('/api/drafts.get')) continue;
        watched.bytes += entry.encodedBodySize;
        watched.reads += 1;
      }
    }).observe({ type: 'resource' });
  });
}

interface Watched {
  bytes: number;
  reads: number;
}

function readMeanwhile(page: Page): Promise<Watched> {
  return page.evaluate(() => {
    const { watched } = window as unknown as { watched: Watched };
    const copy = { ...watched };
    Object.assign(watched, { bytes: 0, reads: 0 });
    return copy;
  });
}

/** Drafts a new bid for every campaign through the page's own session. Returns the id of the first campaign. */
function draftAll(page: Page): Promise<number> {
  return page.evaluate(async () => {
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
    const filter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };
    const cids: number[] = [];
    for (let at = 1; ; at += 1) {
      const { rows } = (await call('campaigns.page', { filter, page: at, perPage: 200 })) as {
        rows: { cid: number }[];
      };
      cids.push(...rows.map(({ cid }) => cid));
      if (rows.length < 200) break;
    }
    const draft = { from: 0.1, operations: [{ kind: 'percent', percent: '10' }] };
    const changes = cids.map((cid) => ({ cid, field: 'payout', draft }));
    await call('drafts.change', { title: 'Raise', changes });
    return cids[0] ?? 0;
  });
}
