import { expect, test } from 'vitest';
import { createDrillStore } from '#renderer/stores/reports/drill-store.ts';
import { firstQuery } from '#renderer/stores/reports/report-query.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';
import { page } from './support.ts';

test.each([
  [{ kind: 'xml', tid: 7 } as const, 'reports.drill', 'drill'],
  // The rows of Search are those of the report itself.
  [{ kind: 'search', sid: null } as const, 'reports.page', 'page'],
])('a panel of %o asks %s, and cancels the reading of the %s alone', async (source, asked, reading) => {
  const { columns, rows: _, state } = page();
  const bridge = fakeBridge({
    'reports.drill': () => ({ columns, rows: [], newestDays: 92, state }),
    'reports.page': () => page(),
    'reports.cancel': () => null,
  });
  const store = createDrillStore(bridge);
  store.getState().open(firstQuery(source), { of: [{ dimension: 'geo', value: 'BR' }], by: 'date' });
  await settled();
  expect(store.getState().answer?.newestDays).toBe(source.kind === 'xml' ? 92 : null);
  store.getState().cancel();
  expect(bridge.asked.map(({ name }) => name)).toEqual([asked, 'reports.cancel']);
  expect(bridge.asked.at(-1)?.input).toEqual({ reading });
});
