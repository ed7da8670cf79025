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
  await page.evaluate((hash) => (location.hash = hash), `#/campaigns/${cid}/${section}`);
  await panel(cid).getByRole('heading', { level: 2 }).first().waitFor();
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
