export {
  isRatio,
  keyFigures,
  metricOf,
  recomputedColumns,
  reportDimensions,
  reportMetrics,
} from './metrics.ts';
export type { ColumnKind, MetricColumn, RatioColumn, ReportKind, SumColumn } from './metrics.ts';
export {
  addDays,
  comparedRange,
  comparisons,
  datesIn,
  daysIn,
  isWeekend,
  rangePresets,
  resolveRange,
} from './range.ts';
export type { Comparison, DayRange, RangePreset, ReportRange } from './range.ts';
