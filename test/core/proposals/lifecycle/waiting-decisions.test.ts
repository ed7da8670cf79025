import { expect, test } from 'vitest';
import { createWorld, findCampaign, proposeBid, type World } from '../world.ts';

async function waiting(world: World): Promise<{ id: string; title: string; cids: number[] }[]> {
  return (await world.core.handlers['campaigns.waiting']({})).items;
}

test('undecided proposals are listed newest first with the campaigns that they may change', async () => {
  const world = await createWorld({ campaigns: 60 });
  const running = await findCampaign(world, ({ status }) => status === 1);
  const { proposal: bid, cid } = await proposeBid(world);
  const pause = await world.core.handlers['campaigns.proposeStatus']({ cids: [running.cid], status: 3 });
  expect(await waiting(world)).toEqual([
    { id: pause.id, title: pause.title, cids: [running.cid] },
    { id: bid.id, title: bid.title, cids: [cid] },
  ]);
  await world.approve(await world.look(pause.id));
  expect((await waiting(world)).map(({ id }) => id)).toEqual([bid.id]);
  await world.deny(await world.look(bid.id));
  expect(await waiting(world)).toEqual([]);
});

test('a batch replaces its members in the list of undecided proposals, and a denied batch leaves the list empty', async () => {
  const world = await createWorld({ campaigns: 60 });
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const cids = data
    .filter(({ status }) => status === 1)
    .slice(0, 2)
    .map(({ cid }) => cid);
  const ids: string[] = [];
  for (const cid of cids) {
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
    ids.push(id);
  }
  expect(await waiting(world)).toHaveLength(2);
  const { id } = await world.core.handlers['proposals.reviewTogether']({ ids });
  expect(await waiting(world)).toEqual([{ id, title: expect.any(String) as string, cids }]);
  await world.deny(world.shown.at(-1)!);
  expect(await waiting(world)).toEqual([]);
});
