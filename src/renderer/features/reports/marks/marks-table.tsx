import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { marksStore } from '../stores/marks-store.ts';
import { firstQuery } from '../stores/report-query.ts';
import { goToReport } from '../stores/stores.ts';
import {
  useFormats,
  Buttons,
  ForeignText,
  Icon,
  IconButton,
  LinkButton,
  LongText,
  removedPassFocus,
} from '#renderer/ui/index.ts';
import type { Mark, MarkFigures } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  columnLabel,
  daysIn,
  differenceOf,
  dimensionLabel,
  exactText,
  formatValue,
  metricOf,
  metricValue,
  rangeText,
  recentDays,
  valueLabel,
  type ReportKind,
} from '#shared/reports/index.ts';
import { NoteDialog, signLooks, sourceLabel } from './mark-control.tsx';
import styles from '../panels.module.css';
import { useServiceToday } from '../use-report.ts';

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
            <span className={styles.unseen}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody data-entries="">
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
  const { zone, today } = useServiceToday();
  const show = (): void => showInReport(mark, today);
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
        <div className={styles.quiet}>{fullDateText(serviceDay(mark.markedAtMs, zone).date)}</div>
      </td>
      <td className={styles.note}>
        <ForeignText text={mark.note} />
      </td>
      <td>
        <Figures kind={mark.source.kind} then={mark.figuresThen} now={now} onRead={show} />
      </td>
      <td className={styles.actions}>
        <Buttons>
          <IconButton size="small" icon="reports" label={`Show ${name} in its report`} onClick={show} />
          <IconButton
            size="small"
            icon="edit"
            label={`Edit note of ${name}`}
            onClick={() => setNoting(true)}
          />
          <IconButton
            size="small"
            icon="remove"
            data-removes="mark"
            label={`Remove mark of ${name}`}
            onClick={({ currentTarget }) =>
              void removedPassFocus(currentTarget, () => remove([mark.id]), marksButton)
            }
          />
        </Buttons>
        {noting && (
          <NoteDialog
            target={{ source: mark.source, dimension: mark.dimension, value: mark.value }}
            range={mark.figuresThen?.range ?? now?.range ?? { from: today, to: today }}
            mark={mark}
            onClose={() => setNoting(false)}
          />
        )}
      </td>
    </tr>
  );
}

/** The button of the page's head that leads here and back. */
const marksButton = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main [aria-pressed="true"]');

/** Days of a mark's figures now where it has none of then: as many as the core looks at. */
const defaultDays = 7;

function showInReport({ source, dimension, value, figuresThen }: Mark, today: string): void {
  const length = figuresThen === null ? defaultDays : daysIn(figuresThen.range);
  goToReport({
    ...firstQuery(source),
    range: recentDays(length, today),
    levels: [dimension],
    only: [{ dimension, value }],
  });
}

interface FiguresProps {
  kind: ReportKind;
  then: MarkFigures | null;
  /** Null where nothing of these days was read; undefined until they were looked for. */
  now: MarkFigures | null | undefined;
  /** Opens the report that reads them. */
  onRead: () => void;
}

function Figures({ kind, then, now, onRead }: FiguresProps): ReactElement {
  const read = now === null && <LinkButton onClick={onRead}>Read in the report</LinkButton>;
  if (then === null && !now) {
    return <span className={styles.quiet}>Not read then or now. {read}</span>;
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
        {now ? `${rangeText(now.range)}${now.complete ? '' : ', incomplete'}` : 'not read yet'} {read}
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
  const formats = useFormats();
  const column = { id, kind: metricOf(kind, id)?.kind ?? ('count' as const) };
  const [before, after] = [valueOf(kind, id, then), valueOf(kind, id, now)];
  const difference = differenceOf(column, after, before, formats);
  return (
    <div>
      <dt>{columnLabel({ id, label: null })}</dt>
      <dd>
        {formatValue(column, before, formats)} → <strong>{formatValue(column, after, formats)}</strong>
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
