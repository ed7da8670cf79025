import type { Locator } from 'playwright';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { AppDriver } from './app.ts';
import type { SecondClient } from './second-client.ts';

/** Opens a section of a campaign on its own page. */
export async function openSection(
  { page, panel }: AppDriver,
  cid: number,
  section: string,
): Promise<Locator> {
  const address = `#/campaigns/${cid}/${section}`;
  await page.evaluate((hash) => (location.hash = hash), address);
  // The section before has the same headings. In a small window the list of sections is hidden.
  await panel(cid).locator(`a[aria-current="page"][href="${address}"]`).waitFor({ state: 'attached' });
  return panel(cid);
}

/** Returns the id of the newest campaign that fits. Searches running campaigns unless another query is given. */
export async function firstWith(
  second: SecondClient,
  fits: (campaign: JsonObject) => boolean,
  query: { status?: number } = { status: 1 },
): Promise<number> {
  for (const page of [1, 2]) {
    for (const cid of await second.cids({ ...query, page, perPage: 200 })) {
      if (fits(await second.read(cid))) return cid;
    }
  }
  throw new Error('No such campaign');
}
