import { countryName } from '#shared/campaign/index.ts';
import { fullDateText, weekdayText } from '#shared/lib/date-text.ts';
import { type ColumnKind, isRatio, type MetricColumn, metricOf, type ReportKind } from './metrics.ts';
import type { Formats } from '../lib/formats.ts';

/** `label` is the service's own name of a column outside the contract, and untrusted text. */
export interface NamedColumn {
  id: string;
  kind: ColumnKind;
  label: string | null;
}

const columnLabels: Readonly<Record<string, string>> = {
  gross_requests: 'Gross requests',
  net_requests: 'Net requests',
  gross_clicks: 'Gross clicks',
  gross_valid: 'Valid clicks',
  gross_invalid: 'Invalid clicks',
  net_clicks: 'Net clicks',
  gross_revenue: 'Gross revenue',
  net_revenue: 'Net revenue',
  valid_rate: 'Valid rate',
  click_rate: 'Click rate',
  revenue_share: 'Revenue share',
  total: 'Requests',
  monetized: 'Monetized requests',
  clicks: 'Clicks',
  revenue: 'Revenue',
  monetized_rate: 'Monetized rate',
  epc: 'EPC',
  rpm: 'RPM',
};

const longNames: Readonly<Record<string, string>> = {
  epc: 'Earnings per click',
  rpm: 'Revenue per 1,000 requests',
};

const dimensionLabels: Readonly<Record<string, string>> = {
  date: 'Day',
  geo: 'Country',
  feed: 'Feed',
  subid: 'Sub-ID',
};

export const reportLabels: Readonly<Record<ReportKind, string>> = { xml: 'XML traffic', search: 'Search' };

/** Untrusted text for a column outside the contract. */
export function columnLabel({ id, label }: Pick<NamedColumn, 'id' | 'label'>): string {
  return label ?? columnLabels[id] ?? id;
}

/** For example `Net revenue and gross clicks by day`. May contain untrusted text. */
export function chartTitle(columns: readonly Pick<NamedColumn, 'id' | 'label'>[]): string {
  const names = columns.map((column, at) => (at === 0 ? columnLabel(column) : columnInSentence(column)));
  return `${names.join(' and ')} by day`;
}

/** For example `net revenue`, `EPC`. A label of the service stays unchanged. */
export function columnInSentence({ id, label }: Pick<NamedColumn, 'id' | 'label'>): string {
  const known = columnLabels[id];
  return label ?? (known === undefined ? id : lowerFirst(known));
}

export function dimensionLabel(dimension: string): string {
  return dimensionLabels[dimension] ?? dimension;
}

export function dimensionInSentence(dimension: string): string {
  const known = dimensionLabels[dimension];
  return known === undefined ? dimension : lowerFirst(known);
}

const nouns: Partial<Record<string, [one: string, many: string]>> = {
  date: ['day', 'days'],
  geo: ['country', 'countries'],
  feed: ['feed', 'feeds'],
  subid: ['sub-ID', 'sub-IDs'],
};

export function nounOf(dimension: string | undefined): string {
  return nouns[dimension ?? '']?.[0] ?? 'row';
}

export function nounsOf(levels: readonly string[]): string {
  return levels.length === 1 ? (nouns[levels[0] ?? '']?.[1] ?? 'rows') : 'rows';
}

/** A search selects rows and does not change sums, so it is not part of the label. */
export function totalLabel(
  {
    search,
    levels,
    excluded,
  }: {
    search: string;
    levels: readonly string[];
    excluded: readonly unknown[];
  },
  formats: Formats,
): string {
  const all = search === '' ? 'Total' : `Total of all ${nounsOf(levels)}`;
  return excluded.length > 0 ? `${all} without ${formats.counted(excluded.length, 'value')}` : all;
}

/** For example `Net revenue ÷ net clicks`, or `Revenue per 1,000 requests: net revenue × 1,000 ÷ net requests`. */
export function formulaText(kind: ReportKind, id: string, formats: Formats): string {
  const metric = metricOf(kind, id);
  if (metric === undefined || !isRatio(metric)) return 'Sum of the service’s figures';
  const times = metric.times === 1 ? '' : ` × ${formats.count(metric.times)}`;
  const formula = `${nameIn(kind, metric.over)}${times} ÷ ${lowerFirst(nameIn(kind, metric.under))}`;
  const long = longNames[id];
  return long === undefined ? formula : `${long}: ${lowerFirst(formula)}`;
}

/** Untrusted text, unless the value is a day. */
export function valueLabel(dimension: string, value: string | null): string {
  if (value === null) return 'Not reported';
  if (value === '') return 'Empty';
  if (dimension === 'date') return dayLabel(value);
  const country = dimension === 'geo' ? countryName(value) : null;
  return country === null ? value : `${country} (${value})`;
}

export function dayLabel(date: string): string {
  const text = fullDateText(date);
  return text === date ? date : `${weekdayText(date)}, ${text}`;
}

function nameIn(kind: ReportKind, id: string): string {
  const metric: MetricColumn | undefined = metricOf(kind, id);
  return columnLabel({ id: metric?.id ?? id, label: null });
}

function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
