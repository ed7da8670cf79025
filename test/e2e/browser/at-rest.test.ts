import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

const places = [
  'campaigns',
  'drafts',
  'proposals',
  'reports',
  'schedules',
  'ledger',
  'ledger/decisions',
  'agents',
  'profiles',
  'settings',
  'guide',
];

/**
 * Allowed per second: a countdown updates every second, an age in words every five seconds. A table that redraws itself asks
 * a dozen times.
 */
const fewPerSecond = 2;
const watchedMs = 2_000;

interface Counting {
  asked: number;
}

async function countAsked(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counting: Counting = Object.assign(window, { asked: 0 });
    const { setTimeout: later, requestAnimationFrame: onFrame } = window;
    window.setTimeout = ((...rest: Parameters<typeof later>) => {
      counting.asked += 1;
      return later(...rest);
    }) as typeof later;
    window.requestAnimationFrame = (draw) => {
      counting.asked += 1;
      return onFrame(draw);
    };
  });
}

async function askedMeanwhile(page: Page): Promise<number> {
  const askedNow = (): Promise<number> => page.evaluate(() => (window as unknown as Counting).asked);
  const before = await askedNow();
  await page.clock.runFor(watchedMs);
  return (await askedNow()) - before;
}

test('an idle page stops working, and a waiting change does not rewrite its root and redraw its charts', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  await page.evaluate(() => {
    const written: string[] = [];
    new MutationObserver((all) => {
      written.push(...all.map(({ attributeName }) => attributeName ?? 'title'));
    }).observe(document.documentElement, { attributes: true });
    // The head also gets the links of what is loaded late, such as the tools of cells.
    new MutationObserver((all) => {
      const isTitle = (node: Node): boolean => node.nodeName === 'TITLE';
      if (all.some(({ target, addedNodes }) => isTitle(target) || [...addedNodes].some(isTitle)))
        written.push('title');
    }).observe(document.head, { subtree: true, childList: true });
    Object.assign(window, { written });
  });
  const id = await app.propose(cid, { field: 'name', from: String(name), to: `Renamed ${cid}` });
  await page.getByText('waiting 1').waitFor();
  expect(await page.evaluate(() => (window as unknown as { written: string[] }).written)).toEqual([]);
  await app.ask('proposals.withdraw', { id });

  await page.clock.install();
  await page.reload();
  await app.until('first row');
  await countAsked(page);
  const restless: string[] = [];
  for (const place of places) {
    await page.evaluate((hash) => (location.hash = hash), `#/${place}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const isSettled = async (): Promise<boolean> =>
      (await askedMeanwhile(page)) <= (fewPerSecond * watchedMs) / 1000;
    // The first read may take a while.
    const rests = await expect
      .poll(isSettled)
      .toBe(true)
      .then(
        () => true,
        () => false,
      );
    if (!rests) restless.push(place);
  }
  expect(restless).toEqual([]);
});
