import type { ReactElement } from 'react';
import type { ChartMarker } from '#renderer/ui/chart/index.ts';
import { LinkButton, useFormats } from '#renderer/ui/index.ts';
import { dateText } from '#shared/lib/date-text.ts';
import {
  addDays,
  columnInSentence,
  columnLabel,
  formatValue,
  historyDays,
  isWeekend,
  metricDay,
  metricOf,
  type ReportKind,
  type UnusualDay,
  unusualDays,
} from '#shared/reports/index.ts';
import type { ReportHead } from '../stores/report-rows.ts';
import styles from './figures.module.css';

export interface UnusualMetricDay extends UnusualDay {
  metric: string;
}

/**
 * The shown days on which the metric leaves its usual range, newest first. Compared days count for the usual range. Empty
 * until every day is read, and for a column that only the service defines.
 */
export function unusualIn(
  kind: ReportKind,
  metric: string | undefined,
  head: ReportHead,
): UnusualMetricDay[] {
  const { state, partial } = head.state;
  if (metric === undefined || metricOf(kind, metric) === undefined || state !== 'idle' || partial) return [];
  const first = addDays(head.range.to, 1 - historyDays);
  const byDate = new Map([...head.comparedDays, ...head.days].map(({ date, values }) => [date, values]));
  const days = [...byDate]
    .filter(([date]) => date >= first && date !== head.incompleteDay)
    .map(([date, values]) => {
      const sums = head.columns.map(({ id }, at) => [id, values[at] ?? null] as const);
      return metricDay(kind, metric, date, Object.fromEntries(sums));
    });
  return unusualDays(kind, metric, days)
    .filter(({ date }) => date >= head.range.from)
    .map((day) => ({ ...day, metric }));
}

export function markerOf({ date, is, metric }: UnusualMetricDay): ChartMarker {
  const side = is === 'low' ? 'below' : 'above';
  return { id: date, date, label: `${columnLabel({ id: metric, label: null })} ${side} its usual range` };
}

interface UnusualDaysProps {
  days: readonly UnusualMetricDay[];
  head: ReportHead;
  onOpen: (date: string) => void;
}

export function UnusualDays({ days, head, onOpen }: UnusualDaysProps): ReactElement | null {
  const formats = useFormats();
  const [newest, before] = days;
  const column = head.columns.find(({ id }) => id === newest?.metric);
  if (newest === undefined || column === undefined) return null;
  const text = (value: number): string => formatValue(column, Math.max(0, value).toFixed(9), formats);
  const link = (date: string): ReactElement => (
    <LinkButton onClick={() => onOpen(date)}>{dateText(date, Number(head.range.to.slice(0, 4)))}</LinkButton>
  );
  const { date, value, usual } = newest;
  return (
    <p className={styles.unusual}>
      Something changed on {link(date)}: {columnInSentence(column)} was {text(value)}, usually{' '}
      {text(usual.low)}–{text(usual.high)} on {isWeekend(date) ? 'weekends' : 'weekdays'}.
      {before !== undefined && <span> Before that, on {link(before.date)}.</span>}
    </p>
  );
}
