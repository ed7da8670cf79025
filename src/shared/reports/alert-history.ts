import {
  alertDays,
  followAlert,
  noTraffic,
  readAlert,
  type AlertCondition,
  type AlertState,
  type AlertTest,
  type DaySums,
} from './alerts.ts';
import { sumDecimals } from './decimals.ts';
import type { ReportKind } from './metrics.ts';
import { addDays, comparedRange, datesIn, type DayRange } from './range.ts';
import { metricDay, proposeThreshold, type ThresholdProposal } from './usual-range.ts';

/** Number of past days over which an alert is tried out. */
export const historyDays = 90;

/** A test whose condition may not be decided yet. */
export type AlertTrial = Omit<AlertTest, 'condition'> & { condition: AlertCondition | null };

export interface AlertHistory {
  /** Complete days among the last 90. */
  knownDays: number;
  /**
   * `checkedDays` is the number of the last 90 days for which all figures of the condition are known. `firedOn` lists the days
   * on which the alert would have notified. Null without a condition.
   */
  trial: { checkedDays: number; firedOn: string[] } | null;
  proposal: ThresholdProposal;
}

/** The days that {@link alertHistory} needs: the last 90, and before them those with which the first one is compared. */
export function alertHistoryRange(today: string): DayRange {
  const { from, to } = lastDays(today);
  const week = { from: addDays(from, -6), to: from };
  return { from: comparedRange(week, 'weekdays')?.from ?? week.from, to };
}

const lastDays = (today: string): DayRange => ({
  from: addDays(today, -historyDays),
  to: addDays(today, -1),
});

/**
 * Tries an alert out on past days, as if it had been checked on the morning after each of them. `days` contains the sums
 * of each complete day, which are empty if the day had no traffic.
 */
export function alertHistory(
  kind: ReportKind,
  trial: AlertTrial,
  days: ReadonlyMap<string, DaySums['sums'] | null>,
  today: string,
): AlertHistory {
  const sumsOf = (date: string): DaySums['sums'] | undefined => {
    const sums = days.get(date);
    return sums === null ? noTraffic(kind) : sums;
  };
  const dates = datesIn(lastDays(today));
  const known = dates.flatMap((date) => {
    const sums = sumsOf(date);
    return sums === undefined ? [] : [metricDay(kind, trial.metric, date, sums)];
  });
  const { condition } = trial;
  return {
    knownDays: known.length,
    trial: condition === null ? null : tryOut(kind, { ...trial, condition }, dates, sumsOf),
    proposal: proposeThreshold(kind, trial.metric, known),
  };
}

function tryOut(
  kind: ReportKind,
  test: AlertTest,
  dates: readonly string[],
  sumsOf: (date: string) => DaySums['sums'] | undefined,
): NonNullable<AlertHistory['trial']> {
  let state: AlertState = 'clear';
  let checkedDays = 0;
  const firedOn: string[] = [];
  for (const date of dates) {
    const { range, before } = alertDays(test, addDays(date, 1));
    const reading = readAlert(kind, test, {
      now: windowSums(range, sumsOf),
      before: before === null ? null : windowSums(before, sumsOf),
    });
    if (reading.kind !== 'unknown' || reading.because !== 'incomplete') checkedDays += 1;
    const followed = followAlert(state, reading);
    if (followed.event === 'crossed') firedOn.push(date);
    state = followed.state;
  }
  return { checkedDays, firedOn };
}

function windowSums(range: DayRange, sumsOf: (date: string) => DaySums['sums'] | undefined): DaySums {
  const days = datesIn(range).map(sumsOf);
  const known = days.filter((sums) => sums !== undefined);
  const columns = new Set(known.flatMap((sums) => Object.keys(sums)));
  const sums = [...columns].map((column) => {
    const parts = known.map((day) => day[column] ?? null).filter((part) => part !== null);
    return [column, parts.length === 0 ? null : sumDecimals(parts)] as const;
  });
  return { complete: known.length === days.length, sums: Object.fromEntries(sums) };
}
