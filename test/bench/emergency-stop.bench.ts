import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { startChild } from '#test/servers/child.ts';
import { watchMemory } from './report-pages/page-memory.ts';

const campaigns = 100_000;
const patienceMs = 600_000;
const program = new URL('../../out/main/countersign.cjs', import.meta.url);

/**
 * Measures the time from the click on the emergency stop in an account of 100,000 campaigns to the confirmation of its pause,
 * and the cost to the page.
 */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const browser = await launchChromium();
  const child = startChild(program, [
    'open',
    '--no-open',
    '--data-folder',
    folder,
    '--campaigns',
    String(campaigns),
  ]);
  try {
    let address = '';
    while (!address.startsWith('http')) address = (await child.line()).trim();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patienceMs);
    await page.goto(address);
    await page.getByText('100,000 campaigns', { exact: true }).waitFor();
    await page.getByRole('row').nth(5).waitFor();
    await skipFirstStart(page);
    await page.bringToFront();

    const opened = page.waitForEvent('popup', { timeout: patienceMs });
    const startedAt = performance.now();
    const after = async (seen: Locator): Promise<number> => {
      await seen.first().waitFor();
      return performance.now() - startedAt;
    };
    await page.getByRole('button', { name: 'Emergency stop' }).click();
    const [frozen, counted] = await Promise.all([
      after(page.getByText(/^Agents frozen/)),
      after(page.getByText(/[1-9][\d,]* campaigns run/)),
    ]);
    const confirmation = await opened;
    const windowAt = performance.now() - startedAt;
    confirmation.setDefaultTimeout(patienceMs);
    const list = confirmation.getByRole('list', { name: /^All [\d,]+ campaigns$/ });
    const shown = await after(list.getByRole('listitem').filter({ hasText: /Active|Scheduled/ }));
    const memory = await watchMemory(browser, confirmation);
    let elements = 0;
    const frame = confirmation.getByRole('group', { name: /^All [\d,]+ campaigns$/ });
    for (const share of [0, 0.1, 0.35, 0.6, 0.9, 1]) {
      await frame.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), share);
      await list.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
      elements = Math.max(elements, await confirmation.locator('*').count());
    }
    const { ownMb } = await memory.now();
    return [
      { name: 'agents are frozen', figure: frozen, unit: 'ms', aim: 'at once' },
      { name: 'number of running campaigns', figure: counted, unit: 'ms', aim: 'under 1000' },
      { name: 'confirmation with its first campaigns', figure: shown, unit: 'ms', aim: '–' },
      { name: 'its window alone', figure: shown - windowAt, unit: 'ms', aim: 'under 1000' },
      { name: 'elements of it at most', figure: elements, unit: '', aim: 'under 2000', max: 2_000 },
      { name: 'memory of the page’s process', figure: ownMb, unit: 'MB', aim: 'under 400', max: 400 },
    ];
  } finally {
    await browser.close();
    process.kill(child.pid, 'SIGTERM');
    await child.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
