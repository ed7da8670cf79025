import { expect, test } from 'vitest';
import { createDecisionsStore } from '#renderer/features/decisions/stores/decisions-store.ts';
import type { Decisions } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';

const nowMs = Date.parse('2026-11-30T01:00:00Z');
const none = { total: { approved: 1, denied: 0, access: 0 } } as Decisions;

function page(answer: (input: { sinceMs: number }) => Decisions | Promise<Decisions> = () => none) {
  const bridge = fakeBridge({ 'ledger.decisions': answer });
  const store = createDecisionsStore({ bridge, nowMs: () => nowMs });
  const sinces = () => bridge.asked.map(({ input }) => (input as { sinceMs: number }).sinceMs);
  return { bridge, store, sinces };
}

test('the page begins with the last 30 service days, each with its date', async () => {
  const { bridge, store, sinces } = page();
  store.getState().start('America/New_York');
  bridge.connect({ kind: 'connected' });
  await settled();
  const { read } = store.getState();
  expect(sinces()).toEqual([Date.parse('2026-10-31T04:00Z')]);
  expect(read?.dates).toHaveLength(30);
  expect([read?.dates[0], read?.dates.at(-1)]).toEqual(['2026-10-31', '2026-11-29']);
});

test('the counts of an earlier range never replace those of the chosen range', async () => {
  const slow = Promise.withResolvers<Decisions>();
  const { store } = page(({ sinceMs }) => (nowMs - sinceMs > 60 * 86_400_000 ? slow.promise : none));
  store.getState().setRange(365);
  store.getState().setRange(7);
  await settled();
  slow.resolve(none);
  await settled();
  expect(store.getState()).toMatchObject({ range: 7, reading: false, read: { range: 7 } });
});

test('counts stay if they cannot be read again, with the reason', async () => {
  let isAway = false;
  const { store } = page(() => {
    if (isAway) throw new AppError('core_unreachable');
    return none;
  });
  store.getState().reload();
  await settled();
  isAway = true;
  store.getState().reload();
  await settled();
  expect(store.getState()).toMatchObject({
    read: none,
    failure: { code: 'core_unreachable' },
    reading: false,
  });
});
