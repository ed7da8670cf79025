import { expect, test } from 'vitest';
import type { CampaignFilter } from '#shared/app-api/index.ts';
import { maxWaiting } from '#core/proposals/proposing/proposing.ts';
import { maxDraftProposals } from '#core/proposals/proposing/user-changes.ts';
import { createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';
import { withStore } from '#test/servers/stores.ts';
import { check, propose } from './drafts-of.ts';

const everything: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };

async function draftRaises(world: World, from: number, to: number): Promise<number[]> {
  const pages = await Promise.all(
    [1, 2].map((page) => world.core.handlers['campaigns.page']({ filter: everything, page, perPage: 200 })),
  );
  const raised = pages
    .flatMap(({ rows }) => rows)
    .filter(({ payout }) => payout < 0.2)
    .slice(from, to);
  const changes = raised.map(({ cid, payout }) => ({
    cid,
    field: 'payout',
    draft: { from: payout, operations: [{ kind: 'percent' as const, percent: '10' }] },
  }));
  await world.core.handlers['drafts.change']({ title: 'Raise', changes });
  return raised.map(({ cid }) => cid);
}

test('200 campaigns are checked, proposed and approved in one review, with room for a single change besides', async () => {
  const world = await createWorld({ campaigns: 400 });
  const cids = await draftRaises(world, 0, 200);
  expect(cids).toHaveLength(200);
  expect((await check(world)).every(({ state }) => state === 'ready' || state === 'warning')).toBe(true);
  const { proposed, refused } = await propose(world, cids);
  expect([proposed.length, refused]).toEqual([200, []]);

  const other = await findCampaign(world, ({ cid, status }) => status === 1 && !cids.includes(cid));
  const pause = await world.core.handlers['campaigns.proposeStatus']({ cids: [other.cid], status: 3 });
  expect(pause.state).toBe('proposed');
  const added = await propose(world, await draftRaises(world, 200, 206));
  expect(added.proposed).toHaveLength(6);

  const ids = proposed.map(({ proposalId }) => proposalId);
  await world.core.handlers['proposals.reviewTogether']({ ids });
  const display = await world.look(world.shown.at(-1)?.proposal.id ?? '');
  const { proposal } = await world.approve(display);
  expect(proposal).toMatchObject({ state: 'done', outcome: { message: '200 stored.' } });
  expect(world.puts()).toBe(200);
});

test('changes beyond the room in the queue stay drafts with the reason, and do not block other changes', async () => {
  const world = await createWorld({ campaigns: 40 });
  const cids = await draftRaises(world, 0, 6);
  const { proposed } = await propose(world, cids.slice(0, 2));
  takePlaces(world, proposed[0]?.proposalId ?? '', maxDraftProposals - 3);
  const { proposed: fitting, refused } = await propose(world, cids.slice(2));
  expect(fitting).toHaveLength(1);
  expect(refused).toHaveLength(3);
  expect(refused[0]?.message).toBe(
    '1,000 changes of drafts are waiting already. Decide on some of them first.',
  );
  expect(maxWaiting).toBeLessThan(maxDraftProposals);
  const { cid } = await findCampaign(world, (one) => one.status === 1 && !cids.includes(one.cid));
  const pause = { cids: [cid], status: 3 };
  await expect(world.core.handlers['campaigns.proposeStatus'](pause)).resolves.toBeDefined();
});

/** Copies a proposal, as if the drafts of `count` more campaigns awaited a decision. */
function takePlaces(world: World, id: string, count: number): void {
  withStore(world.folder, ({ proposals, drafts, transaction }) => {
    const proposal = proposals.find(id);
    const [review] = drafts.reviews.ofProposal(id);
    if (proposal === null || review === undefined) throw new Error(`${id} is no change of drafts`);
    transaction(() => {
      for (let number = 1; number <= count; number += 1) {
        const copy = { id: `${id}-${number}`, cid: 1_000_000 + number };
        proposals.insert({ ...proposal, id: copy.id, targets: [copy.cid] });
        drafts.reviews.put(review, { ...review, proposalId: copy.id, cid: copy.cid });
      }
    });
  });
}
