import type { Page, Route } from 'playwright';

/** Keeps every read of the campaign list waiting until the returned function is called. */
export async function holdReads(page: Page): Promise<() => Promise<void>> {
  const reads = '**/api/campaigns.page';
  const held: Route[] = [];
  await page.route(reads, (route) => void held.push(route));
  return async () => {
    await page.unroute(reads);
    await Promise.all(held.map((route) => route.continue()));
  };
}
