import { useEffect, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { marksStore } from '../stores/marks-store.ts';
import {
  useFormats,
  Banner,
  Button,
  Buttons,
  EmptyState,
  FailureBanner,
  FailureState,
  Loading,
  IconButton,
  Spread,
  ForeignText,
  Icon,
  LinkButton,
  LongText,
  removeAndPassFocusAsync,
  pages,
} from '#renderer/ui/index.ts';
import { markSigns, type Mark, type MarkFigures } from '#shared/app-api/index.ts';
import { signLooks, NoteDialog, sourceLabel } from './mark-control.tsx';
import styles from '../panels.module.css';
import { firstQuery } from '../stores/report-query.ts';
import { goToReport } from '../stores/stores.ts';
import { useServiceToday } from '../use-report.ts';
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

export function MarksPanel(): ReactElement {
  const { items, failure, sign, show, copyLines, exportCsv, doing } = useStore(marksStore);
  useEffect(() => marksStore.getState().startFigures(), []);
  if (items === null) {
    return failure ? (
      <FailureState failure={failure}>Your marks were not touched.</FailureState>
    ) : (
      <Loading label="Reading the marks" widths={['48%', '56%', '40%']} />
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState icon="watch" title="No marks yet">
        Mark a sub-ID, country or feed in a report to follow its figures here. Marks stay on this computer.
      </EmptyState>
    );
  }
  const shown = sign === null ? items : items.filter((mark) => mark.sign === sign);
  return (
    <div className={styles.notePanel}>
      <Spread>
        <div className={styles.wrap1} role="group" aria-label="Marks that are shown">
          <Button
            size="small"
            kind={pressed(sign === null)}
            aria-pressed={sign === null}
            onClick={() => show(null)}
          >
            All {items.length}
          </Button>
          {markSigns.map((one) => (
            <Button
              key={one}
              size="small"
              icon={signLooks[one].icon}
              kind={pressed(sign === one)}
              aria-pressed={sign === one}
              onClick={() => show(one)}
            >
              {signLooks[one].label} {items.filter((mark) => mark.sign === one).length}
            </Button>
          ))}
        </div>
        <Buttons>
          <Button
            size="small"
            icon="copy"
            disabled={shown.length === 0}
            onClick={() => void copyLines(shown)}
          >
            Copy values as lines
          </Button>
          <Button
            size="small"
            icon="download"
            disabled={shown.length === 0 || doing === 'export'}
            onClick={() => void exportCsv(shown)}
          >
            Export marks…
          </Button>
        </Buttons>
      </Spread>
      <Outcome />
      {shown.length === 0 ? <NoneOfSign items={items} /> : <MarksTable marks={shown} />}
    </div>
  );
}

const pressed = (isPressed: boolean): 'secondary' | 'quiet' => (isPressed ? 'secondary' : 'quiet');

function NoneOfSign({ items }: { items: readonly Mark[] }): ReactElement {
  const formats = useFormats();
  const show = useStore(marksStore, (state) => state.show);
  return (
    <EmptyState
      icon="search-none"
      title="No marks with this sign"
      action={<Button onClick={() => show(null)}>Show all marks</Button>}
    >
      {formats.counted(items.length, 'mark')} with another sign.
    </EmptyState>
  );
}

function Outcome(): ReactElement | null {
  const formats = useFormats();
  const { notice, refusal, failure, dismiss } = useStore(marksStore);
  const refused = refusal?.failure ?? failure;
  if (refused) return <FailureBanner tone="warning" failure={refused} onDismiss={dismiss} />;
  if (notice === null) return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  if (notice.kind === 'exported') {
    return (
      <Banner tone="good" title={`${formats.counted(notice.marks, 'mark')} exported.`} actions={close} />
    );
  }
  const { lines, skipped } = notice;
  return (
    <Banner
      tone={skipped === 0 ? 'good' : 'info'}
      title={`${formats.counted(lines, 'line')} copied.`}
      actions={close}
    >
      {skipped === 0
        ? undefined
        : `${formats.counted(skipped, 'value')} left out: empty, or with a line end or control character.`}
    </Banner>
  );
}

const shownFigures: Readonly<Record<ReportKind, readonly string[]>> = {
  xml: ['gross_requests', 'valid_rate', 'click_rate', 'net_revenue'],
  search: ['total', 'clicks', 'click_rate', 'revenue'],
};

const maxDecimals = 9;

function MarksTable({ marks }: { marks: readonly Mark[] }): ReactElement {
  return (
    <table className={styles.noteTable}>
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">Mark</th>
          <th scope="col">Note</th>
          <th scope="col">Figures then → now</th>
          <th scope="col">
            <span className={pages.unseen}>Actions</span>
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
              void removeAndPassFocusAsync(currentTarget, () => remove([mark.id]), marksButton)
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

const marksButton = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main [aria-pressed="true"]');

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
  now: MarkFigures | null | undefined;
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
