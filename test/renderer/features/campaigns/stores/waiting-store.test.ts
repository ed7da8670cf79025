import { expect, test } from 'vitest';
import { createWaitingStore, waitingWords } from '#renderer/features/campaigns/stores/list-stores.ts';
import { AppError } from '#shared/errors/index.ts';
import type { WaitingDecision } from '#shared/app-api/index.ts';
import { fakeBridge, settled } from '../../../support/fake-bridge.ts';

const pause = { id: 'p2', title: 'Pause 2 campaigns', cids: [1, 2] };
const bid = { id: 'p1', title: 'Raise the bid', cids: [2] };

test('each campaign has the waiting proposals that may change it, read again after a change of a proposal or the profile', async () => {
  let items: WaitingDecision[] = [pause, bid];
  const bridge = fakeBridge({ 'campaigns.waiting': () => ({ items }) });
  const store = createWaitingStore(bridge);
  store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  expect(store.getState().byCid).toEqual(
    new Map([
      [1, [{ id: 'p2', title: pause.title }]],
      [
        2,
        [
          { id: 'p2', title: pause.title },
          { id: 'p1', title: bid.title },
        ],
      ],
    ]),
  );
  items = [bid];
  bridge.emit({ kind: 'proposals.changed', id: 'p2' });
  await settled();
  expect([...store.getState().byCid.keys()]).toEqual([2]);
  items = [];
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(store.getState().byCid.size).toBe(0);
});

test('a failed read keeps the earlier marks', async () => {
  let fails = false;
  const bridge = fakeBridge({
    'campaigns.waiting': () => {
      if (fails) throw new AppError('storage_failed');
      return { items: [bid] };
    },
  });
  const store = createWaitingStore(bridge);
  store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  fails = true;
  bridge.emit({ kind: 'proposals.changed', id: 'p1' });
  await settled();
  expect(store.getState().byCid.has(2)).toBe(true);
});

test('a mark names the waiting proposal in full, or counts several', () => {
  expect(waitingWords([bid])).toEqual({ short: 'Waiting', full: 'Waiting for your approval: Raise the bid' });
  expect(waitingWords([pause, bid])).toEqual({
    short: '2 waiting',
    full: '2 waiting for your approval: Pause 2 campaigns · Raise the bid',
  });
});
