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

/** Allowed: a countdown is renewed every second, an age in words every five. A table that draws itself again asks a dozen times. */
const fewPerSecond = 2;
const watchedMs = 2_000;

/** Counts the timers and frames that a page asks for from now on. */
async function asked(page: Page): Promise<number> {
  return page.evaluate(async (watchedMs) => {
    let count = 0;
    const { setTimeout: later, requestAnimationFrame: onFrame } = window;
    window.setTimeout = ((...rest: Parameters<typeof later>) => {
      count += 1;
      return later(...rest);
    }) as typeof later;
    window.requestAnimationFrame = (draw) => {
      count += 1;
      return onFrame(draw);
    };
    await new Promise((resolve) => later(resolve, watchedMs));
    Object.assign(window, { setTimeout: later, requestAnimationFrame: onFrame });
    return count;
  }, watchedMs);
}

test('a page that is left alone comes to rest', async () => {
  const { app } = await startSession();
  const { page } = app;
  await app.until('first row');
  const restless: string[] = [];
  for (const place of places) {
    await page.evaluate((hash) => (location.hash = hash), `#/${place}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const isSettled = async (): Promise<boolean> => (await asked(page)) <= (fewPerSecond * watchedMs) / 1000;
    // What is read first may take a while.
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

test('a change that waits writes nothing anew on the root of the page: charts would be drawn again', async () => {
  const { app, second } = await startSession();
  const { page } = app;
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  await app.until('first row');
  await page.evaluate(() => {
    const written: string[] = [];
    new MutationObserver((all) => {
      written.push(...all.map(({ attributeName }) => attributeName ?? 'title'));
    }).observe(document.documentElement, { attributes: true });
    new MutationObserver(() => written.push('title')).observe(document.head, {
      subtree: true,
      childList: true,
    });
    Object.assign(window, { written });
  });
  await app.propose(cid, { field: 'name', from: String(name), to: `Renamed ${cid}` });
  await page.getByText('waiting 1').waitFor();
  expect(await page.evaluate(() => (window as unknown as { written: string[] }).written)).toEqual([]);
});
