import {
  isWaiting,
  reportPreferences,
  reportsStore,
  type ReportHead,
} from '#renderer/stores/reports/index.ts';
import { Sparkline } from '#renderer/ui/chart/index.ts';
import { cx, Skeleton, useLongerThan } from '#renderer/ui/index.ts';
import {
  columnLabel,
  comparisonLabels,
  differenceOf,
  formatValue,
  formulaText,
  keyFigures,
  type Comparison,
  type ReportKind,
} from '#shared/reports/index.ts';
import { useId, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { ChangeText } from './change-text.tsx';
import styles from './figures.module.css';

/** Grey figures come only when a reading takes longer than this; a quick answer never flickers. */
const skeletonAfterMs = 200;

/** The figures of the whole report: how traffic and money stand and what changed. A press draws one in the chart. */
export function KeyFigures(): ReactElement | null {
  const { query, answered, head, loading } = useStore(reportsStore);
  const waiting = useStore(reportsStore, isWaiting);
  const slow = useLongerThan(skeletonAfterMs, waiting);
  if (query === null) return null;
  const shown = answered ?? query;
  const { kind } = shown.source;
  if (waiting && !slow) return <div className={styles.figures} />;
  return (
    <section
      className={cx(styles.figures, loading && styles.keyDim)}
      aria-label="Key figures"
      aria-busy={loading}
    >
      {keyFigures[kind].map((id) =>
        head === null || waiting ? (
          <div key={id} className={styles.figure}>
            <span className={styles.label}>{columnLabel({ id, label: null })}</span>
            <Skeleton width="70%" />
            <Skeleton width="50%" />
          </div>
        ) : (
          <Figure key={id} id={id} kind={kind} head={head} comparison={shown.comparison} />
        ),
      )}
    </section>
  );
}

/** Draws a figure in the chart or takes it away; a hidden chart comes back with it. */
function draw(kind: ReportKind, id: string): void {
  const { setLook, toggleMetric, [kind]: look } = reportPreferences.getState();
  if (look.chart || !look.metrics.includes(id)) toggleMetric(kind, id);
  if (!look.chart) setLook(kind, { chart: true });
}

interface FigureProps {
  id: string;
  kind: ReportKind;
  head: ReportHead;
  comparison: Comparison;
}

function Figure({ id, kind, head, comparison }: FigureProps): ReactElement | null {
  const tipId = useId();
  const { metrics, chart } = useStore(reportPreferences, (state) => state[kind]);
  const at = head.columns.findIndex((column) => column.id === id);
  const column = head.columns[at];
  if (column === undefined) return null;
  const value = head.totals[at] ?? null;
  const before = head.comparedTotals?.[at] ?? null;
  const difference = differenceOf(column, value, before);
  const drawn = chart && metrics.includes(id);
  return (
    <div className={styles.place}>
      <button
        type="button"
        className={cx(styles.figure, drawn && styles.drawn)}
        aria-pressed={drawn}
        aria-describedby={tipId}
        onClick={() => draw(kind, id)}
      >
        <span className={styles.label}>{columnLabel(column)}</span>
        <span className={styles.value}>{formatValue(column, value)}</span>
        {head.comparedTotals !== null && (
          <span className={styles.keyChange}>
            {difference === null ? (
              <span className={styles.none}>not compared</span>
            ) : (
              <ChangeText column={column} difference={difference} part="ratio" />
            )}
          </span>
        )}
        {head.days.length > 1 && (
          <span className={styles.line}>
            <Sparkline
              values={head.days.map((day) => day.values[at] ?? null)}
              incomplete={head.days.at(-1)?.date === head.incompleteDay}
            />
          </span>
        )}
      </button>
      <span role="tooltip" id={tipId} className={styles.tip}>
        {formulaText(kind, id)}
        {difference !== null && (
          <>
            <br />
            {difference.sentence} against {comparisonLabels[comparison].toLowerCase()}:{' '}
            {formatValue(column, before)}
          </>
        )}
      </span>
    </div>
  );
}
