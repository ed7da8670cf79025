import { expect, test } from 'vitest';
import type { Connection } from '#core/connections/index.ts';
import { netChangesOf, reversalsOf, writesOf } from '#core/proposals/undo/reversal.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { ownWords } from '#shared/lib/sentence.ts';

/**
 * Returns the reversing writes and the skipped fields for a change of a campaign whose bid is now outside of its type's
 * limits.
 */
async function reversed(change: { before: JsonObject; after: JsonObject }) {
  const { types, settings } = exampleContext();
  const campaign = { ...exampleCampaign('push'), ...change.after, payout: 99 };
  const read = { raw: {}, edit: { campaign, campaign_types: types, settings } };
  const campaigns = netChangesOf([
    {
      author: { kind: 'agent', name: 'Ada' },
      effects: [{ cid: 7, name: 'Summer', context: null, ...change }],
    },
  ]);
  const reversals = await reversalsOf(
    {
      store: { proposals: { lockOf: () => null } } as never,
      connection: { profile: { id: 'demo' }, member: { get: async () => read } } as unknown as Connection,
      left: ownWords('this change left'),
    },
    campaigns,
    defaultFormats,
  );
  return { ...writesOf(reversals), skipped: reversals.flatMap(({ skipped }) => skipped) };
}

test('a status is restored even if the service would refuse other fields', async () => {
  expect(await reversed({ before: { status: 1 }, after: { status: 3 } })).toEqual({
    updates: [],
    statuses: [{ cids: [7], status: 1 }],
    skipped: [],
  });
});

test('a status that members cannot set is skipped', async () => {
  const { statuses, skipped } = await reversed({ before: { status: 0 }, after: { status: 3 } });
  expect(statuses).toEqual([]);
  expect(skipped).toMatchObject([{ because: 'Members cannot set a campaign to Pending.' }]);
});

test('a status is restored alone if the fields changed with it cannot be', async () => {
  const { updates, statuses, skipped } = await reversed({
    before: { name: 'Old', status: 1 },
    after: { name: 'New', status: 3 },
  });
  expect({ updates, statuses }).toEqual({ updates: [], statuses: [{ cids: [7], status: 1 }] });
  expect(skipped).toMatchObject([
    { what: 'Name of “Summer” (7)', because: expect.stringMatching(/^Bid must be/u) as string },
  ]);
});

test('any other field is skipped if the service would refuse the complete campaign', async () => {
  const { updates, statuses, skipped } = await reversed({ before: { name: 'Old' }, after: { name: 'New' } });
  expect([...updates, ...statuses]).toEqual([]);
  expect(skipped).toMatchObject([
    { what: '“Summer” (7)', because: expect.stringMatching(/^Bid must be/u) as string },
  ]);
});
