import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { sendRequest } from '#core/service-client/index.ts';
import { png, samples } from '#test/core/backend/uploads/pictures.ts';
import { bytes, startPictureServer, throughLoopback } from '#test/servers/picture-server.ts';
import { publishPicture } from '#test/servers/publish-picture.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

function drawnSize(picture: Locator): Promise<number[]> {
  return picture.evaluate(async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
}

test('a picture from the service is shown immediately, a picture from elsewhere only on request, and an invalid picture never', async () => {
  const webp = bytes(samples.lossyWebp);
  const answers = [bytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), webp];
  const server = await startPictureServer((response, request) =>
    (answers.shift() ?? webp)(response, request),
  );
  const elsewhere = throughLoopback(server);
  const { app, host, second, dataFolder, complaints } = await startSession({
    pictureNetwork: {
      lookup: async () => ['93.184.215.14'],
      send: (request) => (request.addresses == null ? sendRequest(request) : elsewhere.send(request)),
    },
  });
  const { origin, host: ownHost } = new URL(host.core.info.serviceUrl);
  const icon = publishPicture({ dataFolder, origin }, { content: png(96, 48), width: 96, height: 48 });
  const image = { url: 'https://cdn.elsewhere.example/main.webp', width: 300, height: 200 };
  const cid = await pushCampaign(app);
  await second.change(cid, { payout: 0.04, icon, image });
  await app.open(cid);
  await app.edit(cid, 'Bid', '0.045');
  const confirmation = await app.review(cid);
  const { page } = confirmation;

  await page.getByText('Bid', { exact: true }).first().waitFor();
  expect(await page.getByText('Main image').count()).toBe(0);
  await page.getByText('What stays', { exact: true }).click();
  const own = page.getByRole('img', { name: `Icon, stored at ${ownHost}`, exact: true });
  expect(await drawnSize(own)).toEqual([96, 48]);
  await confirmation.says('96 × 48 pixels, PNG');
  const load = page.getByRole('button', { name: 'Load picture from cdn.elsewhere.example: Main image' });
  await load.waitFor();
  expect(elsewhere.meant).toEqual([]);
  expect(await axeFaults(page)).toEqual([]);

  await load.click();
  await confirmation.says('This isn’t a picture that Countersign can draw.');
  expect(await page.getByRole('img', { name: /^Main image/ }).count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Try again: Main image' }).click();
  const other = page.getByRole('img', { name: 'Main image, stored at cdn.elsewhere.example', exact: true });
  expect(await drawnSize(other)).toEqual([300, 200]);
  await confirmation.says('300 × 200 pixels, WebP');
  expect(await other.boundingBox()).toMatchObject({ width: 96, height: 96 });
  const pinned = { url: image.url, addresses: ['93.184.215.14'] };
  expect(elsewhere.meant).toEqual([pinned, pinned]);
  expect(await axeFaults(page)).toEqual([]);

  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  // The browser logs the refusal of the bad picture, and nothing else.
  const refusal = expect.stringMatching(/status of 422 .*\/confirmation\/picture\)$/) as string;
  expect(await complaints()).toEqual([refusal]);
});

async function pushCampaign(app: {
  ask(request: 'campaigns.page', input: object): Promise<unknown>;
}): Promise<number> {
  const filter = { query: '', status: 1, types: [], sort: 'cid', order: 'asc' };
  const { rows } = (await app.ask('campaigns.page', { filter, page: 1, perPage: 200 })) as {
    rows: { cid: number; type_name: string }[];
  };
  return rows.find(({ type_name }) => type_name === 'Push')?.cid ?? 0;
}
