import { expect, test } from 'vitest';
import { changeInWords, diffCampaigns } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { groupOfUpdate } from '#core/proposals/operations/grouping.ts';

const money = { text: '$1.00', unlimited: false, micros: '1000000' };
const target = {
  cid: 1,
  name: 'One',
  statusBefore: 1,
  statusAfter: 1,
  perDay: { before: money, after: money },
  untilEnd: { before: money, after: money },
};

/** The group of a change of these fields alone. */
function groupOf(before: JsonObject, after: JsonObject): ReturnType<typeof groupOfUpdate> {
  const campaign = { ...exampleCampaign(), ...before };
  const effects = diffCampaigns(campaign, { ...campaign, ...after });
  const changes = effects.map((effect) => changeInWords(effect, exampleContext()));
  return groupOfUpdate({ warnings: [], typeToConfirm: null, targets: [target] }, { effects, changes });
}

test('changes by factors that only read alike are no equal changes, and a title that is rounded says so', () => {
  const below = groupOf({ payout: 1 }, { payout: 1.499 });
  const above = groupOf({ payout: 1 }, { payout: 1.501 });
  const exact = groupOf({ payout: 0.02 }, { payout: 0.03 });
  expect(new Set([below?.key, above?.key, exact?.key])).toHaveProperty('size', 3);
  expect(below?.title).toBe('Raise bids by 49.9%');
  expect(exact?.title).toBe('Raise bids by 50%');
  expect(groupOf({ payout: 0.4 }, { payout: 0.6 })).toEqual(exact);
  expect(groupOf({ payout: 3 }, { payout: 1 })).toEqual({
    key: '[["payout","by","1/3"]]',
    title: 'Lower bids by about 66.7%',
  });
});

test('budgets are equal by their factor, as the title says, and never by what is added', () => {
  const small = groupOf({ d_revenue: 50 }, { d_revenue: 75 });
  expect(small?.title).toBe('Raise daily budgets by 50%');
  expect(groupOf({ d_revenue: 200 }, { d_revenue: 300 })).toEqual(small);
  expect(groupOf({ d_revenue: 100 }, { d_revenue: 125 })?.key).not.toBe(small?.key);
});

test('a raise too small for a factor in words is equal only to the same amount', () => {
  const raised = groupOf({ d_revenue: 1000 }, { d_revenue: 1001 });
  expect(raised?.key).toBe('[["d_revenue","to",1001]]');
  expect(groupOf({ d_revenue: 2000 }, { d_revenue: 2002 })?.key).not.toBe(raised?.key);
});
