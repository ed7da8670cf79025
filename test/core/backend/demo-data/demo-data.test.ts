import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bidControlOf,
  contractFields,
  normaliseCampaign,
  typeOf,
  validateCampaign,
} from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { offers } from '#core/backend/demo-data/offers.ts';
import { createBackend } from '#core/backend/index.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { readPicture } from '#core/platform/pictures/read-picture.ts';
import { movableClock, startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

interface Image {
  url: string;
  width: number;
  height: number;
  mime: string;
  bytes: number;
}

describe.each(['northwind', 'meridian'] as const)('the demo account of %s', (tenant) => {
  let service: RunningBackend;
  const campaigns: JsonObject[] = [];
  beforeAll(async () => {
    service = await startBackend({ tenant });
    for (let page = 1; page <= 2; page += 1) {
      const { data } = await service.list(`?perPage=200&page=${page}`);
      for (const { cid } of data) campaigns.push(await service.campaign(cid));
    }
  });
  afterAll(() => service.dispose());

  test('has 400 campaigns of every type and status', async () => {
    expect(campaigns).toHaveLength(400);
    const { types } = await service.context(Number(campaigns[0]?.['cid']));
    expect(new Set(campaigns.map(({ type }) => String(type)))).toEqual(new Set(Object.keys(types)));
    expect(new Set(campaigns.map(({ status }) => status))).toEqual(new Set([0, 1, 2, 3, 4]));
  });

  test('has campaigns with every field of the contract that are valid by its own rules', async () => {
    const context = await service.context(Number(campaigns[0]?.['cid']));
    for (const campaign of campaigns) {
      expect(validateCampaign(campaign, context, campaign, defaultFormats)).toEqual([]);
      expect(normaliseCampaign(campaign)).toEqual(campaign);
      expect(Object.keys(campaign)).toEqual(expect.arrayContaining([...contractFields]));
    }
  });

  test('has source bids that a client can edit, and controls that only the service understands', async () => {
    const { types, settings } = await service.context(Number(campaigns[0]?.['cid']));
    const known = campaigns.flatMap((campaign) =>
      (campaign['bidControl'] as JsonObject[]).map(
        (control) => bidControlOf(control, typeOf(campaign, { types })) !== null,
      ),
    );
    expect(new Set(known)).toEqual(new Set(settings.enable_bidcontrol ? [true, false] : []));
  });

  test('has its own pictures on every Push campaign, of the stated size, in two variants for each advertiser', async () => {
    const images = campaigns.flatMap(({ icon, image }) =>
      icon === null ? [] : [icon, image],
    ) as unknown as Image[];
    const seen = new Map(images.map((image) => [image.url, image]));
    expect(seen.size).toBe(offers.length * 2 * 2);
    for (const { url, width, height, mime, bytes } of seen.values()) {
      expect(new URL(url).port).toBe(String(service.port));
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, mime]);
      const content = new Uint8Array(await answer.arrayBuffer());
      expect(readPicture(content)).toEqual({ type: mime, width, height });
      expect(content.length).toBe(bytes);
      expect(content.length).toBeLessThanOrEqual(12 * 1024);
      expect([
        [192, 192],
        [492, 328],
      ]).toContainEqual([width, height]);
    }
  });

  test('accepts every campaign that is sent back unchanged', async () => {
    for (const campaign of campaigns.slice(0, 40)) {
      expect((await service.put(Number(campaign['cid']), campaign)).status).toBe(200);
      expect(await service.campaign(Number(campaign['cid']))).toEqual(campaign);
    }
  });

  test('has other members with their own campaigns', async () => {
    const { neighbour, withoutBalance, withoutMenu } = service.credentials.accounts;
    for (const { memberToken, uid } of [neighbour, withoutBalance, withoutMenu]) {
      const page = await service.list('?perPage=200', memberToken);
      expect(page.total).toBeGreaterThan(0);
      expect(page.data.every((row) => row.uid === uid)).toBe(true);
    }
  });
});

describe('the demo data', () => {
  test('is the same on every installation of the same day, and survives a restart', async () => {
    const clock = movableClock();
    const [one, two] = [await startBackend({ clock }), await startBackend({ clock })];
    const first = await one.list('?perPage=200');
    expect(await two.list('?perPage=200')).toEqual(first);
    const cid = first.data[0]?.cid ?? 0;
    const here = async ({ campaign, port }: RunningBackend): Promise<string> =>
      JSON.stringify(await campaign(cid)).replaceAll(`127.0.0.1:${port}/`, 'service/');
    expect(await here(two)).toBe(await here(one));

    await one.setStatus({ ids: [cid], status: 2 });
    await one.backend.dispose();
    const again = createBackend({
      tenant: 'northwind',
      file: one.file,
      consent: { kind: 'page' },
      clock,
      ids: createIds(() => clock.nowMs()),
      logger: silentLogger,
      campaigns: 7,
    });
    const { baseUrl } = await again.listen();
    const { memberToken } = again.issueDemoCredentials();
    const answer = await fetch(`${baseUrl}/login/campaigns/campaigns?query=${cid}`, {
      headers: { authorization: `Bearer ${memberToken}` },
    });
    expect(await answer.text()).toContain('"status":2,"status_name":"Suspended"');
    await again.dispose();
    await one.dispose();
    await two.dispose();
  });
});
