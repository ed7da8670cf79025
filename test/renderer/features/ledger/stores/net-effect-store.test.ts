import { expect, test } from 'vitest';
import type { NetChange } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createNetEffectStore } from '#renderer/features/ledger/stores/net-effect-store.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';

const nowMs = Date.parse('2026-11-30T01:00:00Z');

function page(reverse: () => { id: string; address: string | null } = () => ({ id: 'p1', address: null })) {
  const bridge = fakeBridge({
    'ledger.netEffect': ({ sinceMs }) => ({
      items: [{ cid: 1, steps: sinceMs } as NetChange],
      prunedCount: 0,
      unreadableCount: 0,
    }),
    'ledger.reverse': reverse,
  });
  const followed: string[] = [];
  const store = createNetEffectStore({
    bridge,
    follow: ({ id }) => void followed.push(id),
    nowMs: () => nowMs,
  });
  const questions = () => bridge.asked.map(({ input }) => input);
  return { bridge, store, followed, questions };
}

test('the net effect is first requested for the service day, and again after every choice', async () => {
  const { bridge, store, questions } = page();
  store.getState().start('America/New_York');
  bridge.connect({ kind: 'connected' });
  await settled();
  store.getState().ask({ since: 'week', agentId: 'a1' });
  await settled();
  store.getState().ask({ since: 'date', date: '2026-11-02' });
  await settled();
  expect(questions()).toEqual([
    { agentId: null, sinceMs: Date.parse('2026-11-29T05:00Z') },
    { agentId: 'a1', sinceMs: nowMs - 7 * 86_400_000 },
    { agentId: 'a1', sinceMs: Date.parse('2026-11-02T05:00Z') },
  ]);
});

test('an invalid date requests nothing and shows nothing', async () => {
  const { store, questions } = page();
  store.getState().ask({ since: 'date', date: '2026-11-31' });
  await settled();
  expect(questions()).toEqual([]);
  expect(store.getState()).toMatchObject({ items: null, dateError: expect.any(String) as string });
  await store.getState().reverse();
  expect(questions()).toEqual([]);
});

test('a reversal opens its confirmation; a refusal shows the reason', async () => {
  const { store, followed } = page();
  await store.getState().reverse();
  expect(followed).toEqual(['p1']);
  const refused = page(() => {
    throw new AppError('nothing_to_reverse');
  });
  await refused.store.getState().reverse();
  expect(refused.store.getState()).toMatchObject({
    reversing: false,
    refusal: { code: 'nothing_to_reverse' },
  });
});
