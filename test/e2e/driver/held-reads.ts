import type { Page } from 'playwright';

/** Delays every read of the campaign list until the returned function is called. */
export async function holdReads(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/api/campaigns.page', async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}
