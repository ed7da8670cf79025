import type { ReportExclusion, ReportQuery, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { xmlGroupings } from '#shared/contract/index.ts';
import { isDate } from '#shared/lib/date-text.ts';
import { comparisons, rangePresets, type ReportRange } from '#shared/reports/index.ts';
import { firstQuery } from './report-query.ts';

/** These limits must equal those of the core (shared/app-api/reports/reports.ts). */
const limits = { levels: 8, values: 1_000, dimension: 200, value: 20_000, search: 200, column: 200 };

export function formatReport(query: ReportQuery): string {
  const { source, range, comparison, includeToday, levels, grouping, only, excluded, search, sort } = query;
  const parameters = new URLSearchParams();
  if (source.kind === 'xml') parameters.set('xml', String(source.tid));
  else parameters.set('search', source.sid === null ? 'all' : String(source.sid));
  parameters.set('range', 'preset' in range ? range.preset : `${range.from}..${range.to}`);
  parameters.set('compare', comparison);
  if (includeToday) parameters.set('today', 'yes');
  for (const level of levels) parameters.append('by', level);
  if (grouping !== undefined) parameters.set('rows', grouping);
  for (const value of only) parameters.append('only', valueText(value));
  for (const exclusion of excluded) parameters.append('without', exclusionText(exclusion));
  if (search !== '') parameters.set('find', search);
  parameters.set('sort', `${sort.descending ? '-' : '+'}${sort.column}`);
  return parameters.toString();
}

/**
 * The first colon separates the value, because escaped dimensions contain no colon. A missing value has no colon after its
 * dimension.
 */
function valueText({ dimension, value }: ReportValue): string {
  const name = encodeURIComponent(dimension);
  return value === null ? name : `${name}:${value}`;
}

/** An exclusion of one value is written like a filter. Nested values begin with a slash: `/geo:BR/feed:7`. */
function exclusionText(exclusion: ReportExclusion): string {
  const [only, inner] = exclusion;
  if (only !== undefined && inner === undefined) return valueText(only);
  const escaped = exclusion.map(({ dimension, value }) =>
    valueText({ dimension, value: value && encodeURIComponent(value.toWellFormed()) }),
  );
  return `/${escaped.join('/')}`;
}

/** Null without a source. Any other invalid parameter falls back to its default. */
export function parseReport(text: string): ReportQuery | null {
  const parameters = new URLSearchParams(text);
  const source = sourceOf(parameters);
  if (source === null) return null;
  const first = firstQuery(source);
  const levels = [...new Set(parameters.getAll('by'))].filter((level) => isName(level, limits.dimension));
  const search = parameters.get('find') ?? '';
  const grouping = xmlGroupings.find((known) => known === parameters.get('rows'));
  return {
    source,
    range: rangeOf(parameters.get('range')) ?? first.range,
    comparison: comparisons.find((known) => known === parameters.get('compare')) ?? first.comparison,
    includeToday: parameters.get('today') === 'yes',
    levels: levels.length === 0 || levels.length > limits.levels ? first.levels : levels,
    ...(grouping !== undefined && { grouping }),
    only: filtersOf(parameters.getAll('only')),
    excluded: exclusionsOf(parameters.getAll('without')),
    search: search.length > limits.search ? '' : search,
    sort: sortOf(parameters.get('sort')) ?? first.sort,
  };
}

const isName = (text: string, max: number): boolean => text !== '' && text.length <= max;

function positive(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,15}$/u.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : null;
}

function sourceOf(parameters: URLSearchParams): ReportSource | null {
  const tid = positive(parameters.get('xml'));
  if (tid !== null) return { kind: 'xml', tid };
  const feed = parameters.get('search');
  const sid = positive(feed);
  return sid !== null || feed === 'all' ? { kind: 'search', sid } : null;
}

function rangeOf(text: string | null): ReportRange | null {
  const preset = rangePresets.find((known) => known === text);
  if (preset !== undefined) return { preset };
  const [from = '', to = '', ...rest] = (text ?? '').split('..');
  return rest.length === 0 && isDate(from) && isDate(to) && from <= to ? { from, to } : null;
}

function valuesOf(text: string, unescape: (value: string) => string | null): ReportValue[] {
  const colon = text.indexOf(':');
  const dimension = unescaped(colon === -1 ? text : text.slice(0, colon));
  const value = colon === -1 ? null : unescape(text.slice(colon + 1));
  if (dimension === null || !isName(dimension, limits.dimension)) return [];
  if (colon !== -1 && (value === null || value.length > limits.value)) return [];
  return [{ dimension, value }];
}

const identity = (value: string): string => value;

function filtersOf(texts: readonly string[]): ReportValue[] {
  return texts.slice(0, limits.values).flatMap((text) => valuesOf(text, identity));
}

function exclusionsOf(texts: readonly string[]): ReportExclusion[] {
  return texts.slice(0, limits.values).flatMap((text) => {
    const isPath = text.startsWith('/');
    const parts = isPath ? text.slice(1).split('/') : [text];
    const values = parts.flatMap((part) => valuesOf(part, isPath ? unescaped : identity));
    return values.length === parts.length && values.length <= limits.levels ? [values] : [];
  });
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function sortOf(text: string | null): ReportQuery['sort'] | null {
  const [, sign, column = ''] = /^([-+])(.+)$/su.exec(text ?? '') ?? [];
  return isName(column, limits.column) ? { column, descending: sign === '-' } : null;
}
