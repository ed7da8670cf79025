import { goToReport, reportsStore } from '#renderer/stores/reports/index.ts';
import { Checkbox, Menu } from '#renderer/ui/index.ts';
import { comparisonLabels, comparisons, rangeText } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { RangePicker } from './range-picker.tsx';
import styles from './frame.module.css';

const entries = comparisons.map((id) => ({ id, label: comparisonLabels[id] }));

/** Which days a report has and with which they are compared. */
export function ReportControls(): ReactElement | null {
  const { query, head } = useStore(reportsStore);
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
          goToReport({ ...query, comparison });
        }}
      />
      <Checkbox
        label="Include today"
        checked={query.includeToday}
        onChange={(includeToday) => goToReport({ ...query, includeToday })}
      />
      {head !== null && <Days head={head} />}
    </div>
  );
}

/** The compared days, the zone, and what of the range does not count. */
function Days({
  head,
}: {
  head: NonNullable<ReturnType<typeof reportsStore.getState>['head']>;
}): ReactElement {
  const { range, counted, compared, incompleteDay, zone } = head;
  const leftOut = incompleteDay !== null && (counted === null || counted.to < incompleteDay);
  const parts = [
    compared && `compared with ${rangeText(compared)}`,
    leftOut && range.from !== range.to && 'today is incomplete and does not count',
    incompleteDay !== null && !leftOut && 'today is incomplete',
    `service days in ${zone}`,
  ].filter((part) => typeof part === 'string');
  return <span className={styles.note}>{parts.join(' · ')}</span>;
}
