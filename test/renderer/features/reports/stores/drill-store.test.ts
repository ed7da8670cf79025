import { expect, test } from 'vitest';
import { createDrillStore } from '#renderer/features/reports/stores/beside-stores.ts';
import { firstQuery } from '#renderer/features/reports/stores/report-query.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';
import { page, row } from './support.ts';

test.each([
  [{ kind: 'xml', tid: 7 } as const, 'reports.drill', 'drill'],
  // A Search report already has the rows, so the report's own request is used.
  [{ kind: 'search', sid: null } as const, 'reports.page', 'page'],
])(
  'a drill panel of %o requests %s, and cancels only the reading of the %s',
  async (source, asked, reading) => {
    const { columns, rows: _, state } = page();
    const bridge = fakeBridge({
      'reports.drill': () => ({ columns, rows: [], rowCount: 0, newestDays: 92, state }),
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
  },
);

test.each([
  { by: 'date', shown: ['2026-11-20', '2026-11-21'], newestDays: 2 },
  { by: 'subid', shown: ['2026-11-21', '2026-11-20'], newestDays: null },
])(
  'a drill panel of Search by $by reports how many rows it does not show',
  async ({ by, shown, newestDays }) => {
    const rows = ['2026-11-21', '2026-11-20'].map((value) => row([value], ['1', '1', '1']));
    const bridge = fakeBridge({ 'reports.page': () => page({ rows, rowCount: 500 }) });
    const store = createDrillStore(bridge);
    const source = { kind: 'search', sid: null } as const;
    store.getState().open(firstQuery(source), { of: [{ dimension: 'geo', value: 'BR' }], by });
    await settled();
    const { answer } = store.getState();
    expect(answer).toMatchObject({ rows: shown.map((value) => ({ value })), rowCount: 500, newestDays });
  },
);
