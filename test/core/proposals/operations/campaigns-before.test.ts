import { expect, test } from 'vitest';
import { createReadsBefore } from '#core/proposals/operations/campaigns-before.ts';
import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

test('no more campaigns are read after the service failed once', async () => {
  const asked: number[] = [];
  const client = {
    async get(cid: number) {
      asked.push(cid);
      if (cid === 1) throw new AppError('rate_limited', { data: { retryAfterSeconds: 120 } });
      // Lets the first read begin before the second.
      await Promise.resolve();
      await Promise.resolve();
      throw new AppError('campaign_not_found');
    },
  } as unknown as CampaignReader;
  const store = { campaignCache: { campaign: () => null }, campaignCopies: { has: () => false } };
  const readsBefore = createReadsBefore({
    store: store as unknown as Parameters<typeof createReadsBefore>[0]['store'],
    clock: createManualClock(),
  });
  const proposal = { profile: { id: 'live-1', account: '77', zone: 'UTC' } } as StoredProposal;
  const cids = Array.from({ length: 40 }, (_, at) => at + 1);
  const found = await readsBefore(proposal, client).read(cids);
  expect(found.map(({ cid }) => cid)).toEqual(cids);
  expect(asked).toEqual([1, 2, 3, 4]);
});
