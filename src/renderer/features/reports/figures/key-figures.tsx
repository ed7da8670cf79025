import { type CSSProperties, type ReactElement, useId } from 'react';
import { useStore } from 'zustand';
import { isWaiting } from '../stores/reports-store.ts';
import { alertOn, reportPreferences, reportsStore } from '../stores/stores.ts';
import { useReport } from '../use-report.ts';
import { ChangeText } from '../table/cells.tsx';
import { Sparkline } from '#renderer/ui/chart/index.ts';
import { useFormats, cx, IconButton, Skeleton, useLongerThan, common } from '#renderer/ui/index.ts';
import {
  columnInSentence,
  columnLabel,
  type Comparison,
  comparisonLabels,
  differenceOf,
  formatValue,
  formulaText,
  keyFigures,
  type ReportKind,
} from '#shared/reports/index.ts';
import styles from './figures.module.css';
import type { ReportHead } from '../stores/report-rows.ts';

/** Placeholders appear only if the answer takes longer than this. */
const skeletonAfterMs = 200;

export function KeyFigures(): ReactElement | null {
  const { query, answered, head, loading } = useReport('query', 'answered', 'head', 'loading');
  const waiting = useStore(reportsStore, isWaiting);
  const slow = useLongerThan(skeletonAfterMs, waiting);
  if (query === null) return null;
  const shown = answered ?? query;
  const { kind } = shown.source;
  if (waiting && !slow) return <div className={styles.figures} />;
  const ids = keyFigures[kind];
  return (
    <section
      className={cx(styles.figures, loading && styles.keyDim)}
      style={{ '--figures': ids.length, '--half': Math.ceil(ids.length / 2) } as CSSProperties}
      aria-label="Key figures"
      aria-busy={loading}
    >
      {ids.map((id) =>
        head === null || waiting ? (
          <div key={id} className={styles.figure}>
            <span className={cx(common.quiet, styles.label)}>{columnLabel({ id, label: null })}</span>
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
  const formats = useFormats();
  const tipId = useId();
  const { metrics, chart } = useStore(reportPreferences, (state) => state[kind]);
  const at = head.columns.findIndex((column) => column.id === id);
  const column = head.columns[at];
  if (column === undefined) return null;
  const value = head.totals[at] ?? null;
  const before = head.comparedTotals?.[at] ?? null;
  const difference = differenceOf(column, value, before, formats);
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
        <span className={cx(common.quiet, styles.label)}>{columnLabel(column)}</span>
        <span className={cx(common.heading, styles.value)}>{formatValue(column, value, formats)}</span>
        {head.comparedTotals !== null && (
          <span className={styles.keyChange}>
            {difference === null ? (
              <span className={common.faint}>not compared</span>
            ) : (
              <ChangeText difference={difference} part="ratio" />
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
      <span role="tooltip" id={tipId} className={cx(common.quiet, styles.tip)}>
        {formulaText(kind, id, formats)}
        {difference !== null && (
          <>
            <br />
            <span>
              {difference.sentence} against {comparisonLabels[comparison].toLowerCase()}:{' '}
              {formatValue(column, before, formats)}
            </span>
          </>
        )}
      </span>
      <span className={styles.alertMe}>
        <IconButton
          icon="alerts"
          size="small"
          label={`Alert me about ${columnInSentence(column)}…`}
          onClick={() => alertOn([], id)}
        />
      </span>
    </div>
  );
}
