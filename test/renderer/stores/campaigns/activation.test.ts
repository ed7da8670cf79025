import { expect, test } from 'vitest';
import { activationChoice, chosenCids, isOpenPart, withPart } from '#renderer/stores/campaigns/selection.ts';
import { createCampaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import type { AppOutput, CampaignPage } from '#shared/app-api/index.ts';
import type { StatusGroup } from '#shared/campaign/index.ts';
import { campaignRow } from '../../support/campaign-row.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const you = { kind: 'app', by: { kind: 'person', name: 'You' }, lastAtMs: 1 } as const;
const elsewhere = { kind: 'elsewhere' } as const;
const mine: StatusGroup = { status: 3, origin: you, cids: [1, 2] };
const others: StatusGroup = { status: 3, origin: elsewhere, cids: [3] };
const removed: StatusGroup = { status: 2, origin: you, cids: [4] };
const active: StatusGroup = { status: 1, origin: null, cids: [5] };
const pending: StatusGroup = { status: 0, origin: null, cids: [6] };

test('the activation of a mixed selection begins with the campaigns that this app paused, and can be extended group by group', () => {
  const choice = activationChoice(1, [mine, others, removed, active, pending]);
  expect(choice?.parts.map(({ kind }) => kind)).toEqual(['own', 'other', 'other', 'already', 'refused']);
  if (choice === null) throw new Error('It needs a choice');
  expect(chosenCids(choice)).toEqual([1, 2]);
  expect(choice.parts.map(isOpenPart)).toEqual([true, true, true, false, false]);
  expect(chosenCids(withPart(choice, 2, true))).toEqual([1, 2, 4]);
  expect(chosenCids(withPart(choice, 0, false))).toEqual([]);
  expect(chosenCids(withPart(withPart(choice, 3, true), 4, true))).toEqual([1, 2]);
});

test('campaigns that were suspended through this app are not chosen in advance', () => {
  const choice = activationChoice(1, [removed, others]);
  expect(choice && chosenCids(choice)).toEqual([]);
});

test.each([
  ['one part that can change', [mine, active], false],
  ['one part and some that a member may not activate', [mine, pending], true],
  ['nothing but what a member may not activate', [pending], false],
  ['two parts', [mine, others], true],
] as const)('whether the person has to choose: %s', (_what, groups, isNeeded) => {
  expect(activationChoice(1, groups) !== null).toBe(isNeeded);
});

function setUp(groups: StatusGroup[]) {
  const rows = [1, 2, 3].map((cid) => campaignRow(cid));
  const page: CampaignPage = { rows, total: 3, page: 1, readAtMs: 1, cached: null };
  const bridge = fakeBridge({
    'campaigns.page': () => page,
    'campaigns.statusGroups': () => ({ groups }),
    'campaigns.proposeStatus': () => ({ id: 'p1' }) as AppOutput<'campaigns.proposeStatus'>,
  });
  const store = createCampaignsStore(bridge);
  const select = async (count: number): Promise<void> => {
    store.getState().reload();
    await settled();
    for (let row = 0; row < count; row += 1) store.getState().toggleSelected(row);
  };
  return { bridge, store, select };
}

test('the activation of a mixed selection proposes nothing before the choice, and then the chosen campaigns', async () => {
  const { bridge, store, select } = setUp([mine, others]);
  await select(3);
  expect(await store.getState().proposeStatus(1)).toBeNull();
  expect(store.getState().proposing).toBeNull();
  expect(bridge.asked.map(({ name }) => name)).not.toContain('campaigns.proposeStatus');
  expect(await store.getState().proposeChosen()).toBe('p1');
  expect(bridge.asked.at(-1)?.input).toEqual({ cids: [1, 2], status: 1 });
  expect(store.getState().choice).toBeNull();
  expect(store.getState().selection.cids.size).toBe(0);
});

test('campaigns that were stopped in the same way, or a single campaign, are activated without a question', async () => {
  const { bridge, store, select } = setUp([mine]);
  await select(2);
  expect(await store.getState().proposeStatus(1)).toBe('p1');
  expect(bridge.asked.at(-1)?.input).toEqual({ cids: [1, 2], status: 1 });
  const one = setUp([mine, others]);
  await one.select(1);
  expect(await one.store.getState().proposeStatus(1)).toBe('p1');
  expect(one.bridge.asked.map(({ name }) => name)).not.toContain('campaigns.statusGroups');
});
