import { expect, test } from 'vitest';
import { statusWords } from '#core/proposals/operations/status/words.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createWorld, findCampaign, proposeBid } from './world.ts';

const factsTouched = ({ facts }: ProposalView): string[] =>
  facts.filter(({ before }) => before !== undefined).map(({ fact }) => fact);

test('a raised bid shows the facts of its campaign, with the old bid beside the new one', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  expect(proposal.facts.map(({ fact }) => fact)).toEqual(['buys', 'budget', 'countries', 'hours', 'host']);
  expect(factsTouched(proposal)).toEqual(['buys']);
});

test('a change of status keeps the facts that were read with it, and touches none of them', async () => {
  const world = await createWorld();
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const proposal = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  expect(proposal.facts).toHaveLength(5);
  expect(proposal.facts.every(({ value }) => value !== '')).toBe(true);
  expect(factsTouched(proposal)).toEqual([]);
});

test('equal changes under one decision show the facts that their campaigns share', async () => {
  const world = await createWorld();
  const first = await findCampaign(world, ({ status }) => status === 1);
  const second = await findCampaign(world, ({ status, cid }) => status === 1 && cid !== first.cid);
  const ids: string[] = [];
  for (const { cid } of [first, second]) {
    ids.push((await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 })).id);
  }
  const { id } = await world.core.handlers['proposals.reviewTogether']({ ids });
  const batch = await world.core.handlers['proposals.get']({ id });
  expect(batch.facts).toHaveLength(5);
  expect(batch.facts.find(({ fact }) => fact === 'host')?.value).toBeDefined();
});

test('a change of status from before the facts were kept is shown without them', () => {
  const exposure = {
    perDay: { kind: 'amount', micros: '5' },
    untilEnd: { kind: 'amount', micros: '5' },
    endsOn: null,
  };
  const row = { status: 1, d_revenue: 0, t_revenue: 0, daily_budget: 0, total_budget: 0 };
  const campaigns = [{ cid: 7, name: 'Old', row, exposure: { before: exposure, after: exposure } }];
  const words = statusWords({
    payload: JSON.stringify({ ids: [7], status: 3 }),
    base: JSON.stringify({ campaigns, countedAt: { date: '2026-11-20', time: '14:00', zone: 'UTC' } }),
    createdAtMs: 0,
    profile: { id: 'demo', name: 'Demo', kind: 'demo', account: '7', zone: 'UTC' },
    rebase: null,
  });
  expect(words.title).toBe('Pause “Old”');
  expect(words.facts).toEqual([]);
});
