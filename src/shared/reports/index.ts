export {
  alertBases,
  alertDays,
  alertTitle,
  alertWindows,
  followAlert,
  metricText,
  metricValue,
  noTraffic,
  readAlert,
  thresholdOf,
  typedThreshold,
  volumeText,
} from './alerts.ts';
export type { AlertCondition, AlertReading, AlertState, AlertTest, DaySums } from './alerts.ts';
export { alertHistory, alertHistoryRange, historyDays } from './alert-history.ts';
export type { AlertHistory, AlertTrial } from './alert-history.ts';
export { factPairs, reportFile, valueLines } from './csv.ts';
export type { FileRow, FileShape, ReportFacts, ReportFile, ValueLines } from './csv.ts';
export { exactText, ratioDecimals, subtractDecimals, sumDecimals } from './decimals.ts';
export { axisLabels, differenceOf, formatValue, shareText } from './format.ts';
export type { Difference } from './format.ts';
export {
  chartTitle,
  columnInSentence,
  columnLabel,
  dayLabel,
  dimensionInSentence,
  dimensionLabel,
  formulaText,
  nounOf,
  nounsOf,
  reportLabels,
  totalLabel,
  valueLabel,
} from './labels.ts';
export type { NamedColumn } from './labels.ts';
export {
  isRatio,
  isSum,
  isXmlGrouping,
  keyFigures,
  metricOf,
  recomputedColumns,
  reportDimensions,
  reportMetrics,
  xmlGroupingOf,
} from './metrics.ts';
export type { ColumnKind, MetricColumn, ReportKind } from './metrics.ts';
export { flagText, flagTitle, meaningOf, minVolume, peersOf, unlikeOf } from './peers.ts';
export type { Peers, Rate, UnlikeRate } from './peers.ts';
export {
  addDays,
  comparedRange,
  comparisonLabels,
  comparisons,
  datesIn,
  daysIn,
  incompleteDayOf,
  isExcludedFromTotals,
  isWeekend,
  maxRangeDays,
  presetLabels,
  rangeLabel,
  rangePresets,
  rangeText,
  recentDays,
  resolveRange,
} from './range.ts';
export type { Comparison, DayRange, IncompleteDay, RangePreset, ReportRange } from './range.ts';
export { differenceSuffix, shareColumn, shareColumnId, sortedColumn } from './derived-columns.ts';
export type { ShareColumn } from './derived-columns.ts';
export { metricDay, minUsualDays, proposeThreshold, unusualDays } from './usual-range.ts';
export type { MetricDay, ThresholdProposal, UnusualDay } from './usual-range.ts';
