import { failureOf } from '../stores/reports-store.ts';
import { goToReport, reportsStore } from '../stores/stores.ts';
import { withRange } from '../stores/report-query.ts';
import { Button, TextField } from '#renderer/ui/index.ts';
import { MonthGrid, PanelButton } from '#renderer/ui/report/index.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { fullDateText, isDate } from '#shared/lib/date-text.ts';
import {
  addDays,
  daysIn,
  maxRangeDays,
  presetLabels,
  rangeLabel,
  rangePresets,
  rangeText,
  resolveRange,
  type DayRange,
  type ReportRange,
} from '#shared/reports/index.ts';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './frame.module.css';
import { isOfDays, useServiceToday } from '../use-report.ts';

/** The days of a report: by name, in a calendar, or as typed, in the service days of the profile. */
export function RangePicker({ query }: { query: ReportQuery }): ReactElement {
  const failed = useStore(reportsStore, failureOf);
  const { zone, today } = useServiceToday();
  const days = resolveRange(query.range, today);
  const problems = (failed?.fields ?? []).filter(isOfDays);
  return (
    <>
      <PanelButton
        icon="calendar"
        label={
          <>
            <span>{rangeLabel(query.range)}</span> <span className={styles.days}>{rangeText(days)}</span>
          </>
        }
        name={`Days: ${rangeLabel(query.range)}, ${rangeText(days)}`}
        title="Choose days"
        describedBy={problems.length > 0 ? 'range-problem' : undefined}
      >
        {(close) => (
          <RangePanel
            query={query}
            days={days}
            today={today}
            zone={zone}
            onChoose={(range) => {
              close();
              goToReport(withRange(query, range));
            }}
          />
        )}
      </PanelButton>
      {problems.length > 0 && (
        <span className={styles.problem} id="range-problem" role="alert">
          {problems.map(({ message }) => message).join(' ')}
        </span>
      )}
    </>
  );
}

interface RangePanelProps {
  query: ReportQuery;
  days: DayRange;
  today: string;
  zone: string;
  onChoose: (range: ReportRange) => void;
}

function RangePanel({ query, days, today, zone, onChoose }: RangePanelProps): ReactElement {
  const [from, setFrom] = useState(days.from);
  const [to, setTo] = useState(days.to);
  /** True after the first of two presses in the calendar. */
  const [isHalf, setHalf] = useState(false);
  const [tried, setTried] = useState(false);
  const errors = tried ? rangeErrors({ from, to }, today) : {};

  function choose(date: string): void {
    setHalf(!isHalf);
    if (!isHalf) {
      setFrom(date);
      setTo(date);
    } else if (date < from) setFrom(date);
    else setTo(date);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (Object.keys(rangeErrors({ from, to }, today)).length === 0) onChoose({ from, to });
  }

  return (
    <div className={styles.range}>
      <ul className={styles.presets} aria-label="Named ranges">
        {rangePresets.map((preset) => {
          const chosen = 'preset' in query.range && query.range.preset === preset;
          return (
            <li key={preset}>
              <Button
                kind={chosen ? 'secondary' : 'quiet'}
                aria-pressed={chosen}
                onClick={() => onChoose({ preset })}
              >
                {presetLabels[preset]}
              </Button>
            </li>
          );
        })}
      </ul>
      <form className={styles.custom} onSubmit={submit}>
        <MonthGrid
          label="Calendar"
          from={isDate(from) ? from : days.from}
          to={isDate(to) ? to : days.to}
          latest={today}
          onChoose={choose}
        />
        <div className={styles.ends}>
          <TextField
            label="From"
            value={from}
            error={errors.from}
            onChange={(text) => setFrom(text.trim())}
          />
          <TextField label="To" value={to} error={errors.to} onChange={(text) => setTo(text.trim())} />
        </div>
        <div className={styles.apply}>
          <span className={styles.zone}>Service days in {zone}</span>
          <Button type="submit" kind="primary">
            Show days
          </Button>
        </div>
      </form>
    </div>
  );
}

/** The error of typed days that cannot be shown. */
function rangeErrors({ from, to }: DayRange, today: string): { from?: string; to?: string } {
  const errors: { from?: string; to?: string } = {};
  const form = 'Write the day as 2026-11-30.';
  if (!isDate(from)) errors.from = form;
  else if (from > today) errors.from = 'Start today or earlier.';
  if (!isDate(to)) errors.to = form;
  else if (isDate(from) && from > to) errors.to = 'End on or after the first day.';
  else if (isDate(from) && daysIn({ from, to }) > maxRangeDays)
    errors.from = `Start on ${fullDateText(addDays(to, 1 - maxRangeDays))} or later: ${maxRangeDays} days at most.`;
  return errors;
}
