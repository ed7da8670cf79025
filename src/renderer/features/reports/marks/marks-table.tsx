import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { marksStore } from '#renderer/stores/report-notes/index.ts';
import { firstQuery, goToReport } from '#renderer/stores/reports/index.ts';
import { Buttons, ForeignText, Icon, IconButton, LongText } from '#renderer/ui/index.ts';
import type { Mark, MarkFigures } from '#shared/app-api/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  columnLabel,
  differenceOf,
  dimensionLabel,
  exactText,
  formatValue,
  metricOf,
  metricValue,
  rangeText,
  valueLabel,
  type ReportKind,
} from '#shared/reports/index.ts';
import { NoteDialog, signLooks, sourceLabel } from './mark-control.tsx';
import styles from '../panels.module.css';

/** Figures that say most about a value, in the order in which they are shown. */
const shownFigures: Readonly<Record<ReportKind, readonly string[]>> = {
  xml: ['gross_requests', 'valid_rate', 'click_rate', 'net_revenue'],
  search: ['total', 'clicks', 'click_rate', 'revenue'],
};

const maxDecimals = 9;

/** Marks as a table: value, sign, note, and figures then and now. */
export function MarksTable({ marks }: { marks: readonly Mark[] }): ReactElement {
  return (
    <table className={styles.noteTable}>
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">Mark</th>
          <th scope="col">Note</th>
          <th scope="col">Figures then → now</th>
          <th scope="col">
            <span className={styles.hidden}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {marks.map((mark) => (
          <MarkRow key={mark.id} mark={mark} />
        ))}
      </tbody>
    </table>
  );
}

function MarkRow({ mark }: { mark: Mark }): ReactElement {
  const remove = useStore(marksStore, (state) => state.remove);
  const now = useStore(marksStore, (state) => state.now[mark.id]);
  const [noting, setNoting] = useState(false);
  const { label, icon, tone } = signLooks[mark.sign];
  const value = valueLabel(mark.dimension, mark.value);
  const name = inertText(value);
  return (
    <tr>
      <th scope="row" className={styles.noteValue}>
        <LongText text={value} />
        <div className={styles.quiet}>
          <ForeignText text={dimensionLabel(mark.dimension)} /> · {sourceLabel(mark.source)}
        </div>
      </th>
      <td className={styles.sign}>
        <Icon name={icon} size={14} tone={tone} /> {label}
        <div className={styles.quiet}>
          {fullDateText(new Date(mark.markedAtMs).toISOString().slice(0, 10))}
        </div>
      </td>
      <td className={styles.note}>
        <ForeignText text={mark.note} />
      </td>
      <td>
        <Figures kind={mark.source.kind} then={mark.figuresThen} now={now} />
      </td>
      <td className={styles.actions}>
        <Buttons>
          <IconButton
            size="small"
            icon="reports"
            label={`Show ${name} in its report`}
            onClick={() => showInReport(mark)}
          />
          <IconButton
            size="small"
            icon="edit"
            label={`Edit note of ${name}`}
            onClick={() => setNoting(true)}
          />
          <IconButton
            size="small"
            icon="remove"
            label={`Remove mark of ${name}`}
            onClick={() => void remove([mark.id])}
          />
        </Buttons>
        {noting && (
          <NoteDialog
            target={{ source: mark.source, dimension: mark.dimension, value: mark.value }}
            range={mark.figuresThen?.range ?? now?.range ?? today()}
            mark={mark}
            onClose={() => setNoting(false)}
          />
        )}
      </td>
    </tr>
  );
}

/** Opens the report of a mark, narrowed to its value. */
function showInReport({ source, dimension, value }: Mark): void {
  goToReport({ ...firstQuery(source), levels: [dimension], only: [{ dimension, value }] });
}

function today(): { from: string; to: string } {
  const date = new Date().toISOString().slice(0, 10);
  return { from: date, to: date };
}

interface FiguresProps {
  kind: ReportKind;
  then: MarkFigures | null;
  now: MarkFigures | null | undefined;
}

function Figures({ kind, then, now }: FiguresProps): ReactElement {
  if (then === null && !now) {
    return <span className={styles.quiet}>Not read then or now. Open the report to read it.</span>;
  }
  return (
    <>
      <dl className={styles.figures}>
        {shownFigures[kind].map((id) => (
          <Figure key={id} kind={kind} id={id} then={then} now={now ?? null} />
        ))}
      </dl>
      <p className={styles.quiet}>
        {then === null ? 'Not read then' : rangeText(then.range)} →{' '}
        {now ? `${rangeText(now.range)}${now.complete ? '' : ', incomplete'}` : 'not read yet'}
      </p>
    </>
  );
}

function Figure({
  kind,
  id,
  then,
  now,
}: {
  kind: ReportKind;
  id: string;
  then: MarkFigures | null;
  now: MarkFigures | null;
}): ReactElement {
  const column = { id, kind: metricOf(kind, id)?.kind ?? ('count' as const) };
  const [before, after] = [valueOf(kind, id, then), valueOf(kind, id, now)];
  const difference = differenceOf(column, after, before);
  return (
    <div>
      <dt>{columnLabel({ id, label: null })}</dt>
      <dd>
        {formatValue(column, before)} → <strong>{formatValue(column, after)}</strong>
        {difference && difference.direction !== 'same' && (
          <span className={styles.quiet} title={difference.sentence}>
            {' '}
            {difference.direction === 'up' ? '▲' : '▼'} {difference.ratio ?? difference.absolute}
          </span>
        )}
      </dd>
    </div>
  );
}

function valueOf(kind: ReportKind, id: string, figures: MarkFigures | null): string | null {
  const value = figures && metricValue(kind, id, figures.sums);
  return value === null ? null : exactText(value, maxDecimals);
}
