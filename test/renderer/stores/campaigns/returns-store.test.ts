import { expect, test } from 'vitest';
import {
  createReturnsStore,
  type OfferedReturn,
  returnable,
} from '#renderer/stores/campaigns/returns-store.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const offer: OfferedReturn = { proposalId: 'p1', atMs: 100, pausedCount: 3, cids: [1, 2, 3] };

test('offers to resume are read again after every change of a proposal, and disappear when the profile changes', async () => {
  let items = [offer];
  const bridge = fakeBridge({ 'campaigns.returns': () => ({ items }) });
  const store = createReturnsStore(bridge);
  store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  expect(store.getState().offers).toEqual([offer]);
  items = [];
  bridge.emit({ kind: 'proposals.changed', id: 'p2' });
  await settled();
  expect(store.getState().offers).toEqual([]);
  items = [offer];
  bridge.emit({ kind: 'proposals.changed', id: 'p2' });
  await settled();
  items = [];
  bridge.emit({ kind: 'profiles.changed' });
  expect(store.getState().offers).toEqual([]);
});

test('a return that cannot be proposed shows the reason, and the offers are read again', async () => {
  let reads = 0;
  const bridge = fakeBridge({
    'campaigns.returns': () => {
      reads += 1;
      return { items: [] };
    },
    'campaigns.proposeReturn': () => {
      throw new AppError('nothing_to_reverse');
    },
  });
  const store = createReturnsStore(bridge);
  expect(await store.getState().propose('p1')).toBeNull();
  await settled();
  expect(store.getState()).toMatchObject({ preparing: null, failure: { code: 'nothing_to_reverse' } });
  expect(reads).toBe(1);
  store.getState().dismissFailure();
  expect(store.getState().failure).toBeNull();
});

test('dismissing an offer while a return is prepared does not enable a second press', async () => {
  const proposal = Promise.withResolvers<AppOutput<'campaigns.proposeReturn'>>();
  const bridge = fakeBridge({
    'campaigns.returns': () => ({ items: [offer] }),
    'campaigns.proposeReturn': () => proposal.promise,
    'campaigns.dismissReturn': () => ({}),
  });
  const store = createReturnsStore(bridge);
  const proposed = store.getState().propose('p1');
  await store.getState().dismiss('p2');
  expect(store.getState().preparing).toBe('p1');
  proposal.resolve({ id: 'r1' } as AppOutput<'campaigns.proposeReturn'>);
  expect(await proposed).toBe('r1');
  expect(store.getState().preparing).toBeNull();
});

test('a proposed return gives the id of its proposal, and dismissing an offer ends it in the core', async () => {
  const bridge = fakeBridge({
    'campaigns.returns': () => ({ items: [] }),
    'campaigns.proposeReturn': () => ({ id: 'r1' }) as AppOutput<'campaigns.proposeReturn'>,
    'campaigns.dismissReturn': () => ({}),
  });
  const store = createReturnsStore(bridge);
  expect(await store.getState().propose('p1')).toBe('r1');
  await store.getState().dismiss('p1');
  expect(bridge.asked).toContainEqual({ name: 'campaigns.dismissReturn', input: { proposalId: 'p1' } });
});

test('only a row that was read after the pause shows that a campaign was changed since', () => {
  const statuses = new Map([
    [1, { status: 1, readAtMs: 100 }],
    [2, { status: 2, readAtMs: 101 }],
  ]);
  expect(returnable(offer, statuses)).toEqual([1, 3]);
});
