import { expect, test } from 'vitest';
import { chartData, type ChartInput } from '#renderer/ui/chart/time/chart-data.ts';

const input: ChartInput = {
  columns: [
    { id: 'clicks', kind: 'count', label: null },
    { id: 'gross_clicks', kind: 'count', label: null },
    { id: 'revenue', kind: 'money', label: null },
  ],
  shown: ['clicks'],
  days: [
    { date: '2026-11-20', values: ['9007199254740993', '1', '0.10'] },
    { date: '2026-11-21', values: [null, '40', '-0.5'] },
  ],
  comparedDays: [{ date: '2026-11-18', values: ['7', '2', '0.2'] }],
  incompleteDay: '2026-11-21',
};

test('figures are read exactly and drawn as numbers; days without figures are gaps', () => {
  const { lines, incomplete } = chartData(input);
  expect(lines[0]?.texts).toEqual(['9007199254740993', null]);
  expect(lines[0]?.values[1]).toBeNull();
  expect(incomplete).toBe(1);
});

test('compared days are aligned with the days in order, and an incomplete day may have no counterpart', () => {
  const { lines, comparedDates } = chartData(input);
  expect(comparedDates).toEqual(['2026-11-18']);
  expect(lines[0]?.compared?.texts).toEqual(['7', null]);
  expect(chartData({ ...input, comparedDays: [] }).lines[0]?.compared).toBeNull();
});

test('two metrics have separate axes if their units differ or one line would be flat, otherwise a common axis', () => {
  const axes = (shown: string[], days = input.days): number[] =>
    chartData({ ...input, shown, days }).lines.map(({ axis }) => axis);
  const alike = [{ date: '2026-11-20', values: ['30', '10', '5'] }];
  expect(axes(['clicks', 'gross_clicks'], alike)).toEqual([0, 0]);
  expect(axes(['clicks', 'gross_clicks'])).toEqual([0, 1]);
  expect(axes(['clicks', 'revenue'], alike)).toEqual([0, 1]);
});

test('an unknown column is skipped, and a chart without days has axes', () => {
  expect(chartData({ ...input, shown: ['gone', 'revenue'] }).lines.map(({ label }) => label)).toEqual([
    'Revenue',
  ]);
  expect(chartData({ ...input, days: [], comparedDays: [] }).ticks).toEqual([[0, 1]]);
});
