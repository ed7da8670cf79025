import { expect, test } from 'vitest';
import {
  chartTitle,
  columnInSentence,
  columnLabel,
  dayLabel,
  dimensionInSentence,
  dimensionLabel,
  formulaText,
  reportDimensions,
  reportMetrics,
  valueLabel,
} from '#shared/reports/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test('every column and dimension of the contract has its own name', () => {
  for (const columns of Object.values(reportMetrics)) {
    const labels = columns.map(({ id }) => columnLabel({ id, label: null }));
    expect(labels.filter((label) => label.includes('_'))).toEqual([]);
    expect(new Set(labels).size).toBe(labels.length);
  }
  expect(Object.values(reportDimensions).flat().map(dimensionLabel)).not.toContain('geo');
  expect(columnLabel({ id: 'x', label: 'Bot clicks' })).toBe('Bot clicks');
});

test('inside a sentence a name begins lower case, abbreviations keep their capitals, and foreign names are unchanged', () => {
  const names = ['net_revenue', 'epc', 'rpm'].map((id) => columnInSentence({ id, label: null }));
  expect(names).toEqual(['net revenue', 'EPC', 'RPM']);
  expect(columnInSentence({ id: 'x', label: 'Bot clicks' })).toBe('Bot clicks');
  expect(['geo', 'subid', 'Placement'].map(dimensionInSentence)).toEqual(['country', 'sub-ID', 'Placement']);
});

test.each([
  ['xml', 'valid_rate', 'Valid clicks ÷ gross clicks'],
  ['xml', 'epc', 'Earnings per click: net revenue ÷ net clicks'],
  ['search', 'rpm', 'Revenue per 1,000 requests: revenue × 1,000 ÷ requests'],
  ['xml', 'gross_clicks', 'Sum of the service’s figures'],
  ['xml', 'unknown', 'Sum of the service’s figures'],
] as const)('the formula of %s %s is: %s', (kind, id, text) => {
  expect(formulaText(kind, id, defaultFormats)).toBe(text);
});

test.each([
  ['geo', 'BR', 'Brazil (BR)'],
  ['geo', 'ZZ', 'ZZ'],
  ['geo', 'not a country', 'not a country'],
  ['subid', 'BR', 'BR'],
  ['subid', '', 'Empty'],
  ['subid', null, 'Not reported'],
  ['date', '2026-11-21', 'Sat, 21 Nov 2026'],
])('the %s %s is shown as %s', (dimension, value, text) => {
  expect(valueLabel(dimension, value)).toBe(text);
});

test('a chart is named after its figures, and foreign names are unchanged', () => {
  const named = (id: string, label: string | null = null) => ({ id, label });
  expect(chartTitle([named('net_revenue'), named('gross_clicks')])).toBe(
    'Net revenue and gross clicks by day',
  );
  expect(chartTitle([named('clicks'), named('rpm')])).toBe('Clicks and RPM by day');
  expect(chartTitle([named('clicks'), named('x', 'Bot Clicks')])).toBe('Clicks and Bot Clicks by day');
});

test('an invalid day is shown unchanged', () => {
  expect(dayLabel('yesterday')).toBe('yesterday');
});
