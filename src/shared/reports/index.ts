export { alertBases, alertDays, alertWindows, followAlert, metricValue, readAlert } from './alerts.ts';
export type {
  AlertCondition,
  AlertReading,
  AlertState,
  AlertTest,
  AlertWindow,
  DaySums,
  UnknownReason,
} from './alerts.ts';
export { exactOf, exactText } from './exact.ts';
export type { Exact } from './exact.ts';
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
