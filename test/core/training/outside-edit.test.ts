import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outsideEdit } from '#core/training/practice/practice.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const minBid = 0.001;
const maxBid = 2;
const context = {
  types: { 1: { name: 'Push', pricing: 'CPC', minBid, maxBid } },
  settings: {},
} as unknown as CampaignContext;

const campaign = (cid: number, payout: number, status = 1) => ({
  cid,
  name: `No. ${cid}`,
  payout,
  status,
  type: 1,
});

test('an edit by another user sets a different bid that the campaign’s type allows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2_000, max: maxBid * 1e6 }), (micros) => {
      const campaigns = [campaign(7, micros / 1e6)];
      const { cid, fields } = outsideEdit({ campaigns, context }, { cid: 7, editsMade: 0 }, defaultFormats);
      const bid = Number(fields['payout']);
      expect(cid).toBe(7);
      expect(bid).not.toBe(micros / 1e6);
      expect(bid).toBeGreaterThanOrEqual(minBid);
      expect(bid).toBeLessThanOrEqual(maxBid);
    }),
  );
});

test('edits by another user take turns among running campaigns, and quote campaign names safely', () => {
  const campaigns = [campaign(1, 0.5), campaign(2, 0.5, 3), { ...campaign(3, 0.5), name: 'A” and “B' }];
  const at = (editsMade: number) =>
    outsideEdit({ campaigns, context }, { cid: null, editsMade }, defaultFormats);
  expect([at(0).cid, at(1).cid, at(2).cid]).toEqual([1, 3, 1]);
  expect(at(1).words).toBe('Someone else changed the bid of “A" and "B” from $0.500 to $0.525.');
});

test('an edit is refused if the campaign does not exist or none is running', () => {
  const campaigns = [campaign(1, 0.5, 3)];
  for (const cid of [9, null]) {
    expect(() => outsideEdit({ campaigns, context }, { cid, editsMade: 0 }, defaultFormats)).toThrow(
      expect.objectContaining({ code: 'campaign_not_found' }),
    );
  }
});
