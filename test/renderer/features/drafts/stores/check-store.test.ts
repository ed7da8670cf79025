import { expect, test } from 'vitest';
import { createCheckStore } from '#renderer/features/drafts/stores/check-store.ts';
import { createDraftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import type { CheckedCampaign } from '#shared/app-api/index.ts';
import { fakeBridge, settled } from '../../../support/fake-bridge.ts';

const result = (cid: number, state: CheckedCampaign['state']): CheckedCampaign => {
  return { cid, name: '', state, fields: [], problems: [], perDay: null, forecast: null };
};

test('only the results of changed campaigns are read again, and results that no longer exist disappear', async () => {
  let campaigns = [result(1, 'ready'), result(2, 'ready')];
  const bridge = fakeBridge({
    'drafts.checked': ({ cids }) => ({
      isRunning: true,
      done: campaigns.length,
      total: 4,
      campaigns: campaigns.filter(({ cid }) => cids?.includes(cid) ?? true),
    }),
  });
  const store = createCheckStore(bridge, createDraftsStore(bridge));
  const stop = store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  campaigns = [result(2, 'error'), result(3, 'ready')];
  bridge.emit({ kind: 'drafts.changed', cids: [1, 3] });
  await settled();
  const { check } = store.getState();
  expect(check?.campaigns.map(({ cid, state }) => [cid, state])).toEqual([
    [2, 'ready'],
    [3, 'ready'],
  ]);
  expect(bridge.asked.map(({ input }) => input)).toEqual([{}, { cids: [1, 3] }]);
  stop();
});
