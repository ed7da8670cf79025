import {
  type DrillRow,
  maxDrillRows,
  type ReportPage,
  type ReportQuery,
  type ReportRow,
  type ReportValue,
} from '#shared/app-api/index.ts';
import {
  addDays,
  type DayRange,
  datesIn,
  type Peers,
  peersOf,
  type Rate,
  reportDimensions,
  unlikeOf,
  type UnlikeRate,
} from '#shared/reports/index.ts';
import { type ColumnPlan, columnPlans, columnsOf, rateOf, valueTexts, orderingOf } from './order.ts';
import { type Dataset, rowClass } from './dataset.ts';
import type { DatasetPart } from './dimension.ts';
import { totalsOf, type Level, levelOf, shownClass } from './level.ts';
import type { DrillQuestion, PagePart, PageQuestion, QueryDays } from '../worker/messages.ts';
import { Pivot, type PivotRow } from './pivot.ts';
import { rowClasses } from './row-classes.ts';

/**
 * Computes a page of rows and totals. Excluded rows count only in their own sums, the incomplete day only in its own row and
 * day. A search filters rows without changing sums. Fails with `number_too_large`.
 */
export function queryPage(dataset: Dataset, question: PageQuestion): PagePart {
  const { query, expanded, offset, limit, incompleteDay } = question;
  const plans = columnPlans(dataset);
  const classes = rowClasses(dataset, query, incompleteDay);
  const pivot = new Pivot(dataset, { query, expanded, classes, ordering: orderingOf(query.sort, plans) });
  const totals = (part: DatasetPart) => {
    const sums = pivot.outermost === undefined ? [] : totalsOf(dataset, pivot.outermost.groups[part]);
    return valueTexts(plans, (sum) => sums[sum] ?? Number.NaN);
  };
  return {
    columns: columnsOf(plans),
    dimensions: dimensionsOf(dataset),
    rows: pivot.rows(offset, limit).map((row) => reportRow(dataset, row, plans)),
    rowCount: pivot.rowCount,
    excludedCount: pivot.excludedCount,
    totals: totals('current'),
    comparedTotals: dataset.hasCompared ? totals('compared') : null,
    ...queryDays(dataset, question),
  };
}

type Series = Pick<PagePart, 'days' | 'comparedDays'>;

/**
 * Computes the daily series of XML traffic from a dataset by day, because its rows have no date. Ignores filters by
 * dimensions that this dataset lacks.
 */
export function queryDailySeries(dataset: Dataset, question: QueryDays & { query: ReportQuery }): Series {
  const has = ({ dimension }: ReportValue): boolean =>
    dimension === 'date' || dataset.dimensions.some(({ id }) => id === dimension);
  const { only, excluded } = question.query;
  const query = {
    ...question.query,
    only: only.filter(has),
    excluded: excluded.filter((exclusion) => exclusion.every(has)),
  };
  return queryDays(dataset, { ...question, query });
}

function queryDays(
  dataset: Dataset,
  { query, range, compared, incompleteDay }: QueryDays & { query: ReportQuery },
): Series {
  const plans = columnPlans(dataset);
  const classes = rowClasses(dataset, query, incompleteDay);
  const level = levelOf(dataset, { dimension: 'date', classes, byDate: true, above: null });
  const series = (part: DatasetPart, days: DayRange | null, shiftDays: number) => {
    const isDated = dataset.rowCounts[part] === 0 || dataset.dimensions.some(({ id }) => id === 'date');
    if (days === null || !isDated) return [];
    const dates = datesIn(days);
    const groups = level.dimension.codesOf(new Set(dates.map((date) => addDays(date, shiftDays))));
    return dates.map((date) => {
      const group = groups.get(addDays(date, shiftDays));
      const isSeen = group !== undefined && level.groups[part].status[group] !== rowClass.excluded;
      return { date, values: groupTexts(level, isSeen ? group : -1, { part, plans }) };
    });
  };
  return {
    days: series('current', range, 0),
    comparedDays: dataset.hasCompared ? series('compared', compared, dataset.shiftDays) : [],
  };
}

/** Computes a drill-down from day tables: at most 400 rows, days in order, others by `query.sort`. Ignores the search text. */
export function queryDrill(
  dataset: Dataset,
  { query, of, by }: DrillQuestion,
): {
  columns: ReportPage['columns'];
  rows: DrillRow[];
  rowCount: number;
} {
  const plans = columnPlans(dataset);
  const others = query.only.filter(({ dimension }) => dimension !== of?.dimension);
  const only = of === null ? others : [...others, of];
  const classes = rowClasses(dataset, { ...query, only }, null);
  const sort = by === 'date' ? { column: 'date', descending: false } : query.sort;
  const pivot = new Pivot(dataset, {
    query: { levels: [by], search: '', sort },
    expanded: [],
    classes,
    ordering: orderingOf(sort, plans),
  });
  const rows = pivot.rows(0, maxDrillRows).map(({ level, group, path }) => ({
    value: path[0] ?? null,
    values: groupTexts(level, group, { part: 'current', plans }),
    unlike: unlikeRates(dataset, { level, group }, plans),
  }));
  return { columns: columnsOf(plans), rows, rowCount: pivot.rowCount };
}

function dimensionsOf({ kind, dimensions }: Dataset): string[] {
  return [...new Set([...reportDimensions[kind], ...dimensions.map(({ id }) => id)])];
}

function reportRow(
  dataset: Dataset,
  { level, group, path, expandable, expanded }: PivotRow,
  plans: readonly ColumnPlan[],
): ReportRow {
  const hasCompared = level.groups.compared.status[group] !== rowClass.out;
  return {
    path: [...path],
    expandable,
    expanded,
    excluded: shownClass(level, group) === rowClass.excluded,
    values: groupTexts(level, group, { part: 'current', plans }),
    compared: hasCompared ? groupTexts(level, group, { part: 'compared', plans }) : null,
    unlike: unlikeRates(dataset, { level, group }, plans),
  };
}

function groupTexts(
  level: Level,
  group: number,
  { part, plans }: { part: DatasetPart; plans: readonly ColumnPlan[] },
): (string | null)[] {
  const { sums } = level.groups[part];
  return valueTexts(plans, (sum) => sums[sum]?.[group] ?? Number.NaN);
}

type SharePlan = ColumnPlan & { of: 'ratio' };

const isShare = (plan: ColumnPlan): plan is SharePlan => plan.kind === 'share' && plan.of === 'ratio';

/** Compares a counted group with all counted groups of its parent, even if a search does not list them. */
function unlikeRates(
  dataset: Dataset,
  { level, group }: { level: Level; group: number },
  plans: readonly ColumnPlan[],
): UnlikeRate[] {
  if (level.groups.current.status[group] !== rowClass.counted) return [];
  const shares = plans.filter(isShare);
  const peers = peersOfGroup(dataset, { level, group }, shares);
  return shares.flatMap((plan, at) => {
    const of = peers[at];
    const is = of && unlikeOf(groupRate(level, group, plan), of);
    return of && is ? [{ column: plan.id, is, typical: decimalText(of.typical) }] : [];
  });
}

function peersOfGroup(
  dataset: Dataset,
  { level, group }: { level: Level; group: number },
  shares: readonly SharePlan[],
): readonly (Peers | null)[] {
  const { status } = level.groups.current;
  const parents = level.within?.parents;
  const parent = parents?.[group];
  return dataset.getOrCompute(JSON.stringify(['peers', level.key, parent ?? null]), () => {
    const groups: number[] = [];
    for (let other = 0; other < level.groupCount; other += 1)
      if (status[other] === rowClass.counted && parents?.[other] === parent) groups.push(other);
    const value = shares.map((plan) => peersOf(groups.map((other) => groupRate(level, other, plan))));
    return { value, bytes: 64 * shares.length };
  });
}

function groupRate({ groups }: Level, group: number, plan: SharePlan): Rate {
  const { sums } = groups.current;
  return rateOf(plan, (sum) => sums[sum]?.[group] ?? Number.NaN);
}

function decimalText(value: number): string {
  return String(Number(value.toFixed(6)));
}
