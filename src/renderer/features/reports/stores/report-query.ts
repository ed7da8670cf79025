import type { ReportExclusion, ReportQuery, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import {
  differenceSuffix,
  isXmlGrouping,
  type ReportKind,
  type ReportRange,
  sortedColumn,
  xmlGroupingOf,
} from '#shared/reports/index.ts';

export type ReportPath = readonly (string | null)[];

export const mainColumn: Readonly<Record<ReportKind, string>> = { xml: 'net_revenue', search: 'revenue' };

const firstLevels: Readonly<Record<ReportKind, string[]>> = { xml: ['geo'], search: ['geo', 'feed'] };

export function firstQuery(source: ReportSource): ReportQuery {
  return {
    source,
    range: { preset: 'last7' },
    comparison: 'previous',
    includeToday: false,
    levels: firstLevels[source.kind],
    only: [],
    excluded: [],
    search: '',
    sort: { column: mainColumn[source.kind], descending: true },
  };
}

export function withSource(query: ReportQuery, source: ReportSource): ReportQuery {
  const { range, comparison, includeToday } = query;
  const common = { source, range, comparison, includeToday };
  if (source.kind !== query.source.kind) return { ...firstQuery(source), ...common };
  return { ...query, ...common, only: [], excluded: [], search: '' };
}

export function withRange(query: ReportQuery, range: ReportRange): ReportQuery {
  return { ...query, range };
}

/**
 * Changes the grouping. Rows sorted by money switch to newest day first, and rows sorted by a removed level to money. XML
 * traffic loses filters by other dimensions. For a dimension of the service's own, the current grouping is kept.
 */
export function withLevels(query: ReportQuery, levels: string[]): ReportQuery {
  const { grouping: _, ...others } = query;
  const { source, only, excluded } = query;
  const isOwn = source.kind === 'xml' && !levels.some(isXmlGrouping);
  const isShown = ({ dimension }: ReportValue): boolean =>
    source.kind === 'search' || levels.includes(dimension);
  return {
    ...others,
    levels,
    ...(isOwn && { grouping: xmlGroupingOf(query) }),
    only: only.filter(isShown),
    excluded: excluded.filter((exclusion) => exclusion.every(isShown)),
    search: '',
    sort: sortUnder(levels, query),
  };
}

function sortUnder(
  levels: readonly string[],
  { source, levels: before, sort }: ReportQuery,
): ReportQuery['sort'] {
  const main = mainColumn[source.kind];
  const isGone = before.includes(sort.column) && !levels.includes(sort.column);
  if (isGone) return { column: main, descending: true };
  const turnsToDays = levels[0] === 'date' && before[0] !== 'date';
  return turnsToDays && sort.column === main ? { column: 'date', descending: true } : sort;
}

/**
 * Choosing a column again reverses its order. Figures begin with the largest, names and days with the first. If the
 * rows are sorted by difference, the new column is too.
 */
export function sortedBy(query: ReportQuery, column: string): ReportQuery {
  const { sort, levels } = query;
  const isName = levels.includes(column);
  const { byDifference } = sortedColumn(sort.column);
  const asked = byDifference && !isName ? `${column}${differenceSuffix}` : column;
  const descending = sort.column === asked ? !sort.descending : !isName;
  return { ...query, sort: { column: asked, descending } };
}

export function withDifferenceToggled(query: ReportQuery): ReportQuery {
  const { sort, source, levels } = query;
  const { column, byDifference } = sortedColumn(sort.column);
  const figure = levels.includes(column) ? mainColumn[source.kind] : column;
  return {
    ...query,
    sort: { column: byDifference ? figure : `${figure}${differenceSuffix}`, descending: sort.descending },
  };
}

export function withComparison(query: ReportQuery, comparison: ReportQuery['comparison']): ReportQuery {
  const { sort } = query;
  const column = comparison === 'none' ? sortedColumn(sort.column).column : sort.column;
  return { ...query, comparison, sort: { ...sort, column } };
}

function isSameValue(a: ReportValue, b: ReportValue): boolean {
  return a.dimension === b.dimension && a.value === b.value;
}

const without = (values: readonly ReportValue[], gone: readonly ReportValue[]): ReportValue[] =>
  values.filter((value) => !gone.some((other) => isSameValue(value, other)));

function isWithin(inner: readonly ReportValue[], outer: readonly ReportValue[]): boolean {
  return outer.every((value) => inner.some((other) => isSameValue(value, other)));
}

export function withOnly(query: ReportQuery, values: readonly ReportValue[]): ReportQuery {
  const dimensions = new Set(values.map(({ dimension }) => dimension));
  const others = query.only.filter(({ dimension }) => !dimensions.has(dimension));
  return {
    ...query,
    only: [...others, ...values],
    excluded: query.excluded.filter((exclusion) => !isWithin(values, exclusion)),
  };
}

/** A filtered dimension that the daily chart ignores, because XML traffic by day has no other. Null if there is none. */
export function unsplitDimension({ source, only, excluded }: ReportQuery): string | null {
  if (source.kind === 'search') return null;
  return [...only, ...excluded.flat()].find(({ dimension }) => dimension !== 'date')?.dimension ?? null;
}

export function withoutOnly(query: ReportQuery, values: readonly ReportValue[]): ReportQuery {
  return { ...query, only: without(query.only, values) };
}

export function withExcluded(query: ReportQuery, rows: readonly ReportExclusion[]): ReportQuery {
  const { excluded } = query;
  const counted = rows.filter((row) => !excluded.some((exclusion) => isWithin(row, exclusion)));
  return { ...query, excluded: [...excluded, ...counted] };
}

/** Removes the exclusions that contain these rows, or, if there are none, the exclusions inside them. */
export function withoutExcluded(query: ReportQuery, rows: readonly ReportExclusion[]): ReportQuery {
  const { excluded } = query;
  const over = excluded.filter((exclusion) => rows.some((row) => isWithin(row, exclusion)));
  const gone =
    over.length > 0 ? over : excluded.filter((exclusion) => rows.some((row) => isWithin(exclusion, row)));
  return { ...query, excluded: excluded.filter((exclusion) => !gone.includes(exclusion)) };
}

export function valueOf(query: Pick<ReportQuery, 'levels'>, path: ReportPath): ReportValue {
  return { dimension: query.levels[path.length - 1] ?? '', value: path.at(-1) ?? null };
}

export function valuesOf({ levels }: Pick<ReportQuery, 'levels'>, path: ReportPath): ReportValue[] {
  return path.map((value, at) => ({ dimension: levels[at] ?? '', value }));
}

export function valuesOfAll(
  { levels }: Pick<ReportQuery, 'levels'>,
  paths: readonly ReportPath[],
): ReportValue[] | null {
  const depth = paths[0]?.length ?? 0;
  if (paths.some((path) => path.length !== depth)) return null;
  const byLevel = levels
    .slice(0, depth)
    .map((dimension, at) =>
      [...new Set(paths.map((path) => path[at] ?? null))].map((value) => ({ dimension, value })),
    );
  const combinations = byLevel.reduce((product, values) => product * values.length, 1);
  return combinations === paths.length ? byLevel.flat() : null;
}

/** Equal for queries whose rows have the same positions. Exclusions do not move rows. */
export const rowOrderKey = (query: ReportQuery): string => JSON.stringify({ ...query, excluded: [] });
