/** The two publisher reports (contract §4.2). */
export type ReportKind = 'xml' | 'search';

/** Kind of a column's values: counts, money, a share (0.25 is 25%), money per unit, or numbers of the service's own, whose unit is unknown. */
export type ColumnKind = 'count' | 'money' | 'share' | 'rate' | 'number';

/** A column that the service sends and that can be summed. Counts have no decimals. */
export interface SumColumn {
  id: string;
  kind: 'count' | 'money';
}

/** A figure that is computed from sums, never averaged: `over` × `times` / `under`. */
export interface RatioColumn {
  id: string;
  kind: 'share' | 'rate';
  over: string;
  under: string;
  times: number;
}

export type MetricColumn = SumColumn | RatioColumn;

const sum = (id: string, kind: SumColumn['kind']): SumColumn => ({ id, kind });
const share = (id: string, over: string, under: string): RatioColumn => ({
  id,
  kind: 'share',
  over,
  under,
  times: 1,
});
const rate = (id: string, over: string, under: string, times: number): RatioColumn => ({
  id,
  kind: 'rate',
  over,
  under,
  times,
});

/** The columns of each report (contract §2.5, §2.6) with what follows from them, in the order in which they are shown. */
export const reportMetrics: Readonly<Record<ReportKind, readonly MetricColumn[]>> = {
  xml: [
    sum('gross_requests', 'count'),
    sum('net_requests', 'count'),
    sum('gross_clicks', 'count'),
    sum('gross_valid', 'count'),
    sum('gross_invalid', 'count'),
    sum('net_clicks', 'count'),
    sum('gross_revenue', 'money'),
    sum('net_revenue', 'money'),
    share('valid_rate', 'gross_valid', 'gross_clicks'),
    share('click_rate', 'gross_clicks', 'gross_requests'),
    share('revenue_share', 'net_revenue', 'gross_revenue'),
    rate('epc', 'net_revenue', 'net_clicks', 1),
    rate('rpm', 'net_revenue', 'net_requests', 1000),
  ],
  search: [
    sum('total', 'count'),
    sum('monetized', 'count'),
    sum('clicks', 'count'),
    sum('revenue', 'money'),
    share('monetized_rate', 'monetized', 'total'),
    share('click_rate', 'clicks', 'total'),
    rate('epc', 'revenue', 'clicks', 1),
    rate('rpm', 'revenue', 'total', 1000),
  ],
};

/** Columns that the service sends and that are computed here from sums instead: a sum of ratios means nothing. */
export const recomputedColumns: readonly string[] = ['epc', 'rpm'];

export const keyFigures: Readonly<Record<ReportKind, readonly string[]>> = {
  xml: [
    'gross_requests',
    'valid_rate',
    'gross_clicks',
    'click_rate',
    'gross_revenue',
    'net_revenue',
    'revenue_share',
    'epc',
    'rpm',
  ],
  search: ['total', 'monetized_rate', 'clicks', 'click_rate', 'revenue', 'epc', 'rpm'],
};

/** Dimensions that the contract names. Other text columns of a service are dimensions, too. */
export const reportDimensions: Readonly<Record<ReportKind, readonly string[]>> = {
  xml: ['date', 'geo', 'subid'],
  search: ['date', 'geo', 'feed', 'subid'],
};

/** How a service groups XML traffic (contract §2.5). */
type XmlGrouping = 'day' | 'geo' | 'subid';

const groupingsOfXml: Readonly<Record<string, XmlGrouping>> = { date: 'day', geo: 'geo', subid: 'subid' };

/** True for a dimension of XML traffic by which its service can group; rows of one grouping may have other ones besides. */
export function isXmlGrouping(dimension: string): boolean {
  return Object.hasOwn(groupingsOfXml, dimension);
}

/**
 * The grouping in which XML traffic with these levels is read: that of the first level that is one, else the one named, whose rows
 * have the dimension of the level besides.
 */
export function xmlGroupingOf(query: {
  levels: readonly string[];
  grouping?: XmlGrouping | undefined;
}): XmlGrouping {
  const level = query.levels.find(isXmlGrouping);
  return (level === undefined ? query.grouping : groupingsOfXml[level]) ?? 'geo';
}

export function metricOf(kind: ReportKind, id: string): MetricColumn | undefined {
  return reportMetrics[kind].find((metric) => metric.id === id);
}

export function isRatio(metric: MetricColumn): metric is RatioColumn {
  return !isSum(metric.kind);
}

/** True for columns whose totals are sums of their values. */
export function isSum(kind: ColumnKind): boolean {
  return kind !== 'share' && kind !== 'rate';
}
