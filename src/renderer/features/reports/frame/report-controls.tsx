import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { goToReport, reportsStore } from '../stores/stores.ts';
import { withComparison, withCounted, withoutOnly } from '../stores/report-query.ts';
import { useFormats, Button, Checkbox, ForeignText, Icon, LinkButton, Menu } from '#renderer/ui/index.ts';
import type { ReportExclusion, ReportQuery } from '#shared/app-api/index.ts';
import { inertStart } from '#shared/lib/inert-text.ts';
import {
  comparisonLabels,
  comparisons,
  dimensionLabel,
  incompleteDayOf,
  rangeText,
  valueLabel,
} from '#shared/reports/index.ts';
import styles from './frame.module.css';
import { RangePicker } from './range-picker.tsx';
import { isOfDays, useReport } from '../use-report.ts';

const entries = comparisons.map((id) => ({ id, label: comparisonLabels[id] }));

/** The days of a report and those of its comparison. */
export function ReportControls(): ReactElement | null {
  const { query, head, failure } = useReport('query', 'head', 'failure');
  if (query === null) return null;
  return (
    <div className={styles.controls}>
      <RangePicker query={query} />
      <Menu
        label={
          query.comparison === 'none' ? 'Compare' : `vs ${comparisonLabels[query.comparison].toLowerCase()}`
        }
        name={
          query.comparison === 'none'
            ? 'Compare'
            : `Compare: vs ${comparisonLabels[query.comparison].toLowerCase()}`
        }
        entries={entries}
        selection={{ mode: 'single', ids: [query.comparison] }}
        onAction={(id) => {
          const comparison = comparisons.find((known) => known === id) ?? 'none';
          goToReport(withComparison(query, comparison));
        }}
      />
      <Checkbox
        label="Include today"
        checked={query.includeToday}
        onChange={(includeToday) => goToReport({ ...query, includeToday })}
      />
      {head !== null && (
        <Days head={head} isOfQuery={failure?.fields.every((field) => !isOfDays(field)) ?? true} />
      )}
    </div>
  );
}

interface DaysProps {
  head: NonNullable<ReturnType<typeof reportsStore.getState>['head']>;
  /** False if the days that are asked for were refused: those of the head are others. */
  isOfQuery: boolean;
}

/** The compared days, the zone, and what of the range does not count. */
function Days({ head, isOfQuery }: DaysProps): ReactElement {
  const { zone } = head;
  const compared = isOfQuery ? head.compared : null;
  const day = isOfQuery ? incompleteDayOf(head) : null;
  const parts = [
    compared && `compared with ${rangeText(compared)}`,
    day && (day.isCounted ? 'today is incomplete' : 'today is incomplete and does not count'),
    `service days in ${zone}`,
  ].filter((part) => typeof part === 'string');
  return <span className={styles.note}>{parts.join(' · ')}</span>;
}

/** Chips that are shown; more of them are counted. */
const maxChips = 12;

/** Filters and exclusions of the report, each with a button that removes it. */
export function FilterChips(): ReactElement | null {
  const formats = useFormats();
  const query = useStore(reportsStore, (state) => state.query);
  if (query === null || query.only.length + query.excluded.length === 0) return null;
  const { only, excluded } = query;
  return (
    <div className={styles.chips} role="group" aria-label="Filters">
      {only.length > 0 && <span className={styles.chipsTitle}>Only</span>}
      <Chips
        rows={only.map((value) => [value])}
        remove={(values) => withoutOnly(query, values)}
        verb="Remove filter"
      />
      {excluded.length > 0 && (
        <span className={styles.chipsTitle} role="status">
          {formats.counted(excluded.length, 'value')} excluded from totals
        </span>
      )}
      <Chips rows={excluded} remove={(row) => withCounted(query, [row])} verb="Count again:" />
      <LinkButton onClick={() => goToReport({ ...query, only: [], excluded: [] })}>
        {only.length === 0 ? 'Count all again' : 'Clear filters'}
      </LinkButton>
    </div>
  );
}

function Chips(props: {
  rows: readonly ReportExclusion[];
  remove: (row: ReportExclusion) => ReportQuery;
  verb: string;
}): ReactElement {
  const formats = useFormats();
  const { rows, remove, verb } = props;
  const rest = rows.length - maxChips;
  return (
    <>
      {rows.slice(0, maxChips).map((row) => {
        const values = row.map(({ dimension, value }) => ({
          dimension: inertStart(dimensionLabel(dimension), 40),
          text: inertStart(valueLabel(dimension, value), 40),
        }));
        return (
          <Button
            key={JSON.stringify(row)}
            size="small"
            aria-label={`${verb} ${values.map(({ dimension, text }) => `${dimension} ${text}`).join(' › ')}`}
            onClick={() => goToReport(remove(row))}
          >
            {values.map(({ dimension, text }, at) => (
              <span key={dimension}>
                {at > 0 && <span> › </span>}
                <span className={styles.chipDimension}>
                  <ForeignText text={dimension} />
                </span>{' '}
                <ForeignText text={text} />
              </span>
            ))}
            <Icon name="close" size={12} />
          </Button>
        );
      })}
      {rest > 0 && <span>and {formats.counted(rest, 'other')}</span>}
    </>
  );
}
