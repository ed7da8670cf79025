import { expect, test } from 'vitest';
import { AppError } from '#shared/errors/index.ts';
import { createReviewStore } from '#renderer/stores/review-store.ts';
import { fakeBridge } from '#test/renderer/support/fake-bridge.ts';

test('equal changes become one batch for review', async () => {
  const bridge = fakeBridge({
    'proposals.reviewTogether': () => ({ id: 'batch-1', address: null }),
  });
  const store = createReviewStore(bridge, () => false);
  expect(await store.getState().reviewTogether(['a', 'b'])).toBe('batch-1');
  expect(bridge.asked).toEqual([{ name: 'proposals.reviewTogether', input: { ids: ['a', 'b'] } }]);
  expect(store.getState()).toMatchObject({ blocked: null, failure: null });
});

test('a group that changed before its review is reported, and no review opens', async () => {
  const bridge = fakeBridge({
    'proposals.reviewTogether': () => {
      throw new AppError('batch_unequal');
    },
  });
  const store = createReviewStore(bridge, () => true);
  expect(await store.getState().reviewTogether(['a', 'b'])).toBeNull();
  expect(store.getState().failure).toMatchObject({ code: 'batch_unequal' });
});
