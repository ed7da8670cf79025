import { expect, test } from 'vitest';
import { createLargestStore } from '#renderer/stores/reports/beside-stores.ts';
import { firstQuery, withLevels, withRange } from '#renderer/stores/reports/report-query.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';
import { page } from './support.ts';

const byDay = withLevels(firstQuery({ kind: 'xml', tid: 7 }), ['date']);

test('countries beside a report by day are read once for its days, and again only by a press', async () => {
  const bridge = fakeBridge({ 'reports.page': () => page() });
  const reads = (): unknown[] =>
    bridge.asked.flatMap(({ input }) => {
      const { query, read } = input as { query: typeof byDay; read: string };
      return read === 'none' ? [] : [[query.levels, query.range]];
    });
  const store = createLargestStore(bridge);
  store.getState().show(byDay, 'geo', 'net_revenue');
  await settled();
  expect(reads()).toEqual([]);

  const [week, month] = [{ preset: 'last7' }, { preset: 'last30' }] as const;
  store.getState().complete();
  store.getState().show({ ...byDay, excluded: [{ dimension: 'geo', value: 'BR' }] }, 'geo', 'epc');
  store.getState().complete();
  await settled();
  expect(reads()).toEqual([[['geo'], week]]);
  store.getState().show(withRange(byDay, month), 'geo', 'epc');
  store.getState().complete();
  store.getState().readMissing();
  await settled();
  expect(reads()).toEqual([
    [['geo'], week],
    [['geo'], month],
    [['geo'], month],
  ]);
});
