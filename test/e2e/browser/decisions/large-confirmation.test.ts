import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('the confirmation of a pause of more than a thousand campaigns stays under two thousand elements while it is scrolled, and shows each campaign', async () => {
  const { app, second, complaints } = await startSession({ demoCampaigns: 2_400 });
  const { page: list } = app;
  await app.until('first row');
  const confirmation = await app.confirmationFrom(list.getByRole('button', { name: 'Emergency stop' }));
  const { page } = confirmation;
  await confirmation.armed();
  const frame = page.getByRole('group', { name: /^All [\d,]+ campaigns$/ });
  const rows = frame.getByRole('listitem');
  const total = Number((await frame.getAttribute('aria-label'))?.replaceAll(/\D/gu, ''));
  expect(total).toBeGreaterThan(1_000);

  // Counts at every change of the document, so that no moment of the scrolling is missed.
  await page.evaluate(() => {
    const count = (): void => {
      const elements = document.querySelectorAll('*').length;
      const { dataset } = document.documentElement;
      dataset['most'] = String(Math.max(elements, Number(dataset['most'] ?? 0)));
    };
    count();
    new MutationObserver(count).observe(document, { childList: true, subtree: true });
  });
  const seen: number[] = [];
  while (seen.length < total) {
    const next = frame.locator(`[aria-posinset="${seen.length + 1}"]`);
    await next.filter({ hasText: /^\d/u }).waitFor();
    await rows.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
    const drawn = await rows.evaluateAll((items) =>
      items.map(
        (item) => [Number(item.ariaPosInSet), Number(item.querySelector('span')?.textContent)] as const,
      ),
    );
    for (const [position, cid] of drawn) seen[position - 1] = cid;
    await rows.last().evaluate((row) => row.scrollIntoView({ block: 'start' }));
  }
  expect(new Set(seen).size).toBe(total);
  const running = await Promise.all([1, 4].map(async (status) => second.cids({ status, perPage: 1 })));
  for (const cid of running.flat()) expect(seen).toContain(cid);
  expect(Number(await page.locator('html').getAttribute('data-most'))).toBeLessThan(2_000);
  expect(await complaints()).toEqual([]);
});
