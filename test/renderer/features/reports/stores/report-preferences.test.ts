import { expect, test } from 'vitest';
import {
  createReportPreferences,
  inOrder,
  withMoved,
} from '#renderer/features/reports/stores/report-preferences.ts';

function storage(first: string | null) {
  let text = first;
  return {
    getItem: () => text,
    setItem: (_key: string, value: string) => {
      text = value;
    },
  };
}

test('columns keep their order and visibility after a restart', () => {
  const kept = storage(null);
  const { moveColumn, toggleColumn, setLook } = createReportPreferences(kept).getState();
  moveColumn('search', ['total', 'clicks', 'revenue'], { column: 'revenue', step: -1 });
  toggleColumn('search', 'clicks');
  setLook('search', { heat: true });
  expect(createReportPreferences(kept).getState().search).toMatchObject({
    order: ['total', 'revenue', 'clicks'],
    hidden: ['clicks'],
    heat: true,
  });
});

test('a new column has the same position as in the report', () => {
  expect(inOrder(['a', 'new', 'b', 'c'], ['c', 'a', 'b', 'gone'])).toEqual(['c', 'a', 'new', 'b']);
  expect(withMoved(['a', 'b'], 'b', 1)).toEqual(['a', 'b']);
});

test('the chart begins with one metric, draws the last two chosen metrics, and always draws at least one', () => {
  const store = createReportPreferences(storage(null));
  expect([store.getState().xml.metrics, store.getState().search.metrics]).toEqual([
    ['net_revenue'],
    ['revenue'],
  ]);
  store.getState().toggleMetric('xml', 'gross_clicks');
  store.getState().toggleMetric('xml', 'epc');
  expect(store.getState().xml.metrics).toEqual(['gross_clicks', 'epc']);
  store.getState().toggleMetric('xml', 'epc');
  store.getState().toggleMetric('xml', 'gross_clicks');
  expect(store.getState().xml.metrics).toEqual(['gross_clicks']);
});

test.each(['not json', '3', '{"xml":7,"search":{"order":"x"},"last":[]}'])(
  'table settings that cannot be read (%j) fall back to the defaults',
  (text) => {
    const { xml, search } = createReportPreferences(storage(text)).getState();
    const first = createReportPreferences(storage(null)).getState();
    expect([xml, search]).toEqual([first.xml, first.search]);
  },
);
