import { failureOf } from '../stores/reports-store.ts';
import { goToReport, reportsStore, isOfDays } from '../stores/stores.ts';
import { useServiceToday, useReport } from '../use-report.ts';
import { withRange, withSource } from '../stores/report-query.ts';
import { Button, TextField, common, NumberField, cx } from '#renderer/ui/index.ts';
import { MonthGrid, PanelButton } from '#renderer/ui/report/index.ts';
import type { ReportQuery, ReportSource } from '#shared/app-api/index.ts';
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
      <form className={cx(common.stack2, styles.custom)} onSubmit={submit}>
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
        <div className={common.spread}>
          <span className={styles.zone}>Service days in {zone}</span>
          <Button type="submit" kind="primary">
            Show days
          </Button>
        </div>
      </form>
    </div>
  );
}

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

const names = { xml: 'traffic source', search: 'feed' } as const;

function sourceText(source: ReportSource): string {
  if (source.kind === 'xml') return `Source ${source.tid}`;
  return source.sid === null ? 'All feeds' : `Feed ${source.sid}`;
}

export function SourcePicker(): ReactElement | null {
  const { query } = useReport('query');
  const failed = useStore(reportsStore, failureOf);
  if (query === null) return null;
  const { source } = query;
  const problem = failed?.fields.find(({ field }) => field === 'tid' || field === 'sid');
  const choose = (next: ReportSource): void => goToReport(withSource(query, next));
  return (
    <>
      <PanelButton
        label={sourceText(source)}
        name={`Source: ${sourceText(source)}`}
        title={`Choose a ${names[source.kind]}`}
        describedBy={problem && 'source-problem'}
      >
        {(close) => (
          <div className={cx(common.stack2, styles.panel)}>
            <SourceList
              source={source}
              onChoose={(next) => {
                close();
                choose(next);
              }}
            />
          </div>
        )}
      </PanelButton>
      {problem && (
        <span className={styles.problem} id="source-problem" role="alert">
          {problem.message}
        </span>
      )}
    </>
  );
}

function knownSources(
  kind: ReportSource['kind'],
  { tids, sids }: { tids: readonly number[]; sids: readonly number[] },
): ReportSource[] {
  if (kind === 'xml') return tids.map((tid) => ({ kind, tid }));
  return [{ kind, sid: null }, ...sids.map((sid): ReportSource => ({ kind, sid }))];
}

export function SourceList(props: {
  source: ReportSource | { kind: ReportSource['kind'] };
  onChoose: (source: ReportSource) => void;
}): ReactElement {
  const { source, onChoose } = props;
  const sources = useStore(reportsStore, (state) => state.sources) ?? { tids: [], sids: [] };
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const known = knownSources(source.kind, sources);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const id = Number(typed.trim());
    if (!/^\d+$/u.test(typed.trim()) || !Number.isSafeInteger(id) || id < 1) {
      setError('Enter a whole number above 0.');
      return;
    }
    onChoose(source.kind === 'xml' ? { kind: 'xml', tid: id } : { kind: 'search', sid: id });
  }

  return (
    <>
      {known.length > 0 && (
        <ul className={styles.sources} aria-label="Known">
          {known.map((next) => (
            <li key={sourceText(next)}>
              <Button
                kind={JSON.stringify(next) === JSON.stringify(source) ? 'secondary' : 'quiet'}
                aria-pressed={JSON.stringify(next) === JSON.stringify(source)}
                onClick={() => onChoose(next)}
              >
                {sourceText(next)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.typed} onSubmit={submit}>
        <NumberField
          label={source.kind === 'xml' ? 'Traffic source (tid)' : 'Feed (sid)'}
          value={typed}
          error={error}
          onChange={(text) => {
            setTyped(text);
            setError(undefined);
          }}
        />
        <Button type="submit">Show report</Button>
      </form>
    </>
  );
}
