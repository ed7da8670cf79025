export type ReportKind = 'xml' | 'search';

/** A `share` of 0.25 is 25%. A `rate` is money per unit. A `number` comes from the service, in an unknown unit. */
export type ColumnKind = 'count' | 'money' | 'share' | 'rate' | 'number';

export interface SumColumn {
  id: string;
  kind: 'count' | 'money';
}

/** `over` × `times` / `under`, computed from sums, never averaged. */
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

/** In display order (contract §2.5, §2.6). */
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

/** The service sends these, but they are computed here: a sum of ratios is meaningless. */
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

/** Other text columns of a service are dimensions too. */
export const reportDimensions: Readonly<Record<ReportKind, readonly string[]>> = {
  xml: ['date', 'geo', 'subid'],
  search: ['date', 'geo', 'feed', 'subid'],
};

type XmlGrouping = 'day' | 'geo' | 'subid';

const groupingsOfXml: Readonly<Record<string, XmlGrouping>> = { date: 'day', geo: 'geo', subid: 'subid' };

/** Dimensions by which a service can group XML traffic. */
export function isXmlGrouping(dimension: string): boolean {
  return Object.hasOwn(groupingsOfXml, dimension);
}

/** The first level that is a grouping. Otherwise the query's own grouping, whose rows have the level as a further dimension. */
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

export function isSum(kind: ColumnKind): boolean {
  return kind !== 'share' && kind !== 'rate';
}
