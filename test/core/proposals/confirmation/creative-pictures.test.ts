import { expect, test } from 'vitest';
import type { CampaignRow } from '#shared/contract/index.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { publishPicture } from '#test/servers/publish-picture.ts';
import { callOf, createAgentWorld, prepare } from '../tool-call/agent-world.ts';
import { changeElsewhere, createWorld, findCampaign, proposeBid, type World } from '../world.ts';

const isPush = ({ type_name, status, payout }: CampaignRow): boolean =>
  type_name === 'Push' && status === 1 && payout < 0.9;

const elsewhere = { url: 'https://images.countersign.example/main.webp', width: 492, height: 328 };

/** Proposes a bid for a campaign with its icon at the service and its main image elsewhere. */
async function bidOfPush(world: World) {
  const { cid } = await findCampaign(world, isPush);
  const origin = new URL(world.core.info.serviceUrl).origin;
  const content = png(96, 96);
  const icon = publishPicture({ dataFolder: world.folder, origin }, { content, width: 96, height: 96 });
  await changeElsewhere(world, cid, { icon, image: elsewhere });
  const { proposal } = await proposeBid(world, 1.1, cid);
  return { proposal, icon: String(icon['url']), content };
}

test('a proposal lists the pictures that do not change and marks those that the profile’s own service stores', async () => {
  const { proposal, icon } = await bidOfPush(await createWorld({ campaigns: 60 }));
  expect(proposal.pictures).toEqual([
    { field: 'icon', label: 'Icon', side: 'same', url: icon, host: new URL(icon).host, isOwn: true },
    {
      field: 'image',
      label: 'Main image',
      side: 'same',
      url: elsewhere.url,
      host: 'images.countersign.example',
      isOwn: false,
    },
  ]);
});

test('a proposal of an agent with a new icon lists the old and the new icon', async () => {
  const world = await createAgentWorld({ campaigns: 60 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  const cid = data.find(isPush)?.cid ?? 0;
  const icon = { url: 'https://cdn.elsewhere.example:8443/a.png', width: 96, height: 96 };
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', { cid, changes: { icon } });
  const { pictures } = await world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
  const own = expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string;
  expect(pictures?.map(({ field, side, host, isOwn }) => [field, side, host, isOwn])).toEqual([
    ['icon', 'before', own, true],
    ['icon', 'after', 'cdn.elsewhere.example:8443', false],
    ['image', 'same', own, true],
  ]);
});

test('a proposal for a campaign without pictures, or for several campaigns, lists no pictures', async () => {
  const world = await createWorld({ campaigns: 60 });
  const plain = await findCampaign(world, ({ type_name, status, payout }) => {
    return type_name === 'Popunder' && status === 1 && payout < 0.9;
  });
  const { proposal } = await proposeBid(world, 1.1, plain.cid);
  expect(proposal).not.toHaveProperty('pictures');
  const running = await findCampaign(world, ({ status, cid }) => status === 1 && cid !== plain.cid);
  const pause = await world.core.handlers['campaigns.proposeStatus']({ cids: [running.cid], status: 3 });
  expect(pause).not.toHaveProperty('pictures');
});

test('the confirmation and the app load the pictures of their proposal and refuse every other address', async () => {
  const world = await createWorld({ campaigns: 60 });
  const { proposal, icon, content } = await bidOfPush(world);
  const { displayId, nonce } = await world.look(proposal.id);
  const picture = { type: 'image/png', width: 96, height: 96, base64: content.toString('base64') };
  const { confirmation, handlers } = world.core;
  expect(await confirmation.picture({ displayId, nonce, url: icon })).toEqual(picture);
  expect(await handlers['pictures.load']({ proposalId: proposal.id, url: icon })).toEqual(picture);
  const asked = (): number =>
    world.service.requestLog().filter(({ path }) => path.startsWith('/uploads')).length;
  const before = asked();
  for (const url of [`${icon}?again`, `${new URL(icon).origin}/health`, '', 'file:///etc/passwd']) {
    await expect(confirmation.picture({ displayId, nonce, url })).rejects.toMatchObject({
      code: 'picture_unknown',
    });
    await expect(handlers['pictures.load']({ proposalId: proposal.id, url })).rejects.toMatchObject({
      code: 'picture_unknown',
    });
  }
  await expect(confirmation.picture({ displayId, nonce: 'wrong', url: icon })).rejects.toMatchObject({
    code: 'display_unknown',
  });
  expect(asked()).toBe(before);
});

test('the app loads the pictures from the latest read of a campaign and refuses every other address', async () => {
  const world = await createWorld({ campaigns: 60 });
  const { cid } = await findCampaign(world, isPush);
  const { handlers } = world.core;
  const { pictures } = await handlers['pictures.ofCampaign']({ cid });
  expect(pictures.map(({ field, side, isOwn }) => [field, side, isOwn])).toEqual([
    ['icon', 'same', true],
    ['image', 'same', true],
  ]);
  const [icon, image] = pictures;
  expect(await handlers['pictures.load']({ cid, url: icon?.url ?? '' })).toMatchObject({ width: 192 });
  expect(await handlers['pictures.load']({ cid, url: image?.url ?? '' })).toMatchObject({ width: 492 });
  const other = { url: 'https://cdn.elsewhere.example/a.png', width: 96, height: 96 };
  await changeElsewhere(world, cid, { icon: other });
  await handlers['campaigns.get']({ cid });
  await expect(handlers['pictures.load']({ cid, url: icon?.url ?? '' })).rejects.toMatchObject({
    code: 'picture_unknown',
  });
  expect((await handlers['pictures.ofCampaign']({ cid })).pictures[0]).toMatchObject({
    host: 'cdn.elsewhere.example',
    isOwn: false,
  });
});

test('a picture that is stored elsewhere is not requested until the user asks for it', async () => {
  const names: string[] = [];
  const world = await createWorld({
    campaigns: 60,
    pictureNetwork: { lookup: async (name) => (names.push(name), ['10.0.0.1']) },
  });
  const { proposal } = await bidOfPush(world);
  const { displayId, nonce } = await world.look(proposal.id);
  const url = proposal.pictures?.find(({ isOwn }) => !isOwn)?.url ?? '';
  expect(names).toEqual([]);
  await expect(world.core.confirmation.picture({ displayId, nonce, url })).rejects.toMatchObject({
    code: 'picture_address_refused',
  });
  expect(names).toEqual(['images.countersign.example']);
});
