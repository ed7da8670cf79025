import { drillDimensions, type Drill, type DrillAnswer } from './stores/beside-stores.ts';
import { alertOn, drillStore, goToReport, reportsStore } from './stores/stores.ts';
import { useReport } from './use-report.ts';
import { withOnly } from './stores/report-query.ts';
import { readRows, pathKey } from './stores/report-rows.ts';
import {
  useFormats,
  Button,
  EmptyState,
  Icon,
  IconButton,
  FailureBanner,
  Loading,
  common,
  cx,
} from '#renderer/ui/index.ts';
import { TimeChart } from '#renderer/ui/chart/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import type { ReportColumn, ReportQuery } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  chartTitle,
  columnLabel,
  datesIn,
  differenceOf,
  dimensionLabel,
  flagText,
  formatValue,
  isWeekend,
  nounsOf,
  type ReportKind,
  valueLabel,
} from '#shared/reports/index.ts';
import { useMemo, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { DaysProgress } from './days-progress.tsx';
import { MarkControl } from './marks/mark-control.tsx';
import { RateValue } from './table/columns.tsx';
import { ChangeText, Value } from './table/cells.tsx';
import styles from './panels.module.css';

const panelFigures: Readonly<Record<ReportKind, readonly string[]>> = {
  xml: ['gross_clicks', 'valid_rate', 'net_revenue'],
  search: ['clicks', 'monetized_rate', 'revenue'],
};

const chartHeight = 120;

export function DrillPanel(): ReactElement | null {
  const { drill, query, answer, failure, open, close, refresh } = useStore(drillStore);
  const head = useStore(reportsStore, (state) => state.head);
  const dimensions = head?.dimensions ?? [];
  const range = head?.counted ?? head?.range ?? null;
  if (drill === null || query === null) return null;
  const path = drill.of.map(({ value }) => value);
  const inner = drill.of.at(-1);
  const splits = drillDimensions(query, path, dimensions);
  return (
    <section className={styles.drillPanel} aria-label={`Details of ${nameOf(drill)}`}>
      <header className={cx(common.row2, styles.head)}>
        <h2 className={cx(common.heading, styles.title)}>
          {drill.of.map(({ dimension, value }, at) => (
            <span key={dimension}>
              {at > 0 && <span> › </span>}
              <Value dimension={dimension} value={value} />
            </span>
          ))}
        </h2>
        <IconButton icon="close" size="small" label="Close" onClick={close} />
      </header>
      <Summary query={query} path={path} />
      <div className={styles.tools}>
        <Segments
          label="Split by"
          value={drill.by}
          options={splits.map((id) => ({ id, label: inertText(dimensionLabel(id)) }))}
          onChange={(by) => open(query, { ...drill, by })}
        />
        <span className={styles.push} />
        {inner !== undefined && inner.dimension !== 'date' && range !== null && (
          <MarkControl target={{ source: query.source, ...inner }} range={range} />
        )}
        <Button size="small" kind="quiet" icon="filter" onClick={() => goToReport(withOnly(query, drill.of))}>
          Show only this
        </Button>
        <Button size="small" kind="quiet" icon="alerts" onClick={() => alertOn(path, null)}>
          Alert me…
        </Button>
      </div>
      {answer !== null && <DaysProgress state={answer.state} store={drillStore} />}
      {answer !== null && <Cut by={drill.by} answer={answer} />}
      {failure !== null && <FailureBanner flush tone="warning" failure={failure} onRetry={refresh} />}
      {answer !== null && drill.by === 'date' && <Days query={query} answer={answer} />}
      {answer !== null && <Rows drill={drill} query={query} answer={answer} />}
      {answer === null && failure === null && (
        <Loading label="Reading" widths={['62%', '54%', '66%', '48%']} />
      )}
    </section>
  );
}

function panelColumns(
  kind: ReportKind,
  columns: readonly ReportColumn[],
): { column: ReportColumn; at: number }[] {
  return panelFigures[kind].flatMap((id) => {
    const at = columns.findIndex((column) => column.id === id);
    const column = columns[at];
    return column === undefined ? [] : [{ column, at }];
  });
}

function Summary({
  query,
  path,
}: {
  query: ReportQuery;
  path: readonly (string | null)[];
}): ReactElement | null {
  const formats = useFormats();
  const { head, rows } = useReport('head', 'rows');
  const key = pathKey(path);
  const row = useMemo(
    () => (rows === null ? undefined : readRows(rows).find((one) => pathKey(one.path) === key)),
    [rows, key],
  );
  if (head === null || row === undefined) return null;
  const flag = flagText(row, head.columns, formats);
  return (
    <div className={cx(common.stack2, styles.summary)}>
      <dl className={styles.summaryFigures}>
        {panelColumns(query.source.kind, head.columns).map(({ column, at }) => {
          const value = row.values[at] ?? null;
          const difference = differenceOf(column, value, row.compared?.[at] ?? null, formats);
          return (
            <div key={column.id}>
              <dt>{inertText(columnLabel(column))}</dt>
              <dd>{formatValue(column, value, formats)}</dd>
              {difference !== null && (
                <dd className={styles.summaryChange}>
                  <ChangeText difference={difference} part="ratio" />
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      {flag !== '' && (
        <p className={styles.summaryFlag}>
          <Icon name="flag" size={14} /> {flag}
        </p>
      )}
    </div>
  );
}

function Days({ query, answer }: { query: ReportQuery; answer: DrillAnswer }): ReactElement | null {
  const incompleteDay = useStore(reportsStore, ({ head }) => head?.incompleteDay ?? null);
  const { columns, rows } = answer;
  const [first, last] = [rows[0]?.value, rows.at(-1)?.value];
  const days = useMemo(() => {
    if (first == null || last == null) return [];
    const known = new Map(rows.map(({ value, values }) => [value, values]));
    return datesIn({ from: first, to: last }).map((date) => ({
      date,
      values: known.get(date) ?? columns.map(() => null),
    }));
  }, [rows, columns, first, last]);
  const shown = panelColumns(query.source.kind, columns).slice(1);
  if (days.length < 2) return null;
  return (
    <div className={styles.drillChart}>
      <TimeChart
        label={inertText(chartTitle(shown.map(({ column }) => column)))}
        height={chartHeight}
        columns={columns}
        shown={shown.map(({ column }) => column.id)}
        days={days}
        comparedDays={noDays}
        incompleteDay={incompleteDay}
      />
    </div>
  );
}

const noDays: [] = [];

function nameOf({ of }: Drill): string {
  return of.map(({ dimension, value }) => inertText(valueLabel(dimension, value))).join(', ');
}

function Cut({ by, answer }: { by: string; answer: DrillAnswer }): ReactElement | null {
  const formats = useFormats();
  const { newestDays, rows, rowCount } = answer;
  if (newestDays !== null) return <p className={styles.newest}>The newest {newestDays} days of the range</p>;
  if (rows.length === rowCount) return null;
  return (
    <p className={styles.newest}>
      The first {formats.count(rows.length)} of {formats.count(rowCount)} {nounsOf([by])}
    </p>
  );
}

function Rows({
  drill,
  query,
  answer,
}: {
  drill: Drill;
  query: ReportQuery;
  answer: DrillAnswer;
}): ReactElement {
  const { kind } = query.source;
  const shown = panelColumns(kind, answer.columns);
  if (answer.rows.length === 0 && answer.state.state !== 'reading') {
    return (
      <EmptyState icon="reports" title="No data">
        The service has no figures for this split.
      </EmptyState>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll, and the keyboard scrolls only what can have the focus
    <div className={styles.rows} role="region" aria-label="Rows of the panel" tabIndex={0}>
      <table className={styles.drillTable}>
        <thead>
          <tr>
            <th scope="col">{inertText(dimensionLabel(drill.by))}</th>
            {shown.map(({ column }) => (
              <th key={column.id} scope="col" className={styles.end}>
                {inertText(columnLabel(column))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map(({ value, values, unlike }) => (
            <tr key={JSON.stringify(value)} className={rowClass(drill.by, value)}>
              <th scope="row" className={styles.drillValue}>
                <Value dimension={drill.by} value={value} />
              </th>
              {shown.map(({ column, at }) => (
                <td key={column.id} className={styles.end}>
                  <RateValue
                    column={column}
                    value={values[at] ?? null}
                    unlike={unlike.find((rate) => rate.column === column.id)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowClass(by: string, value: string | null): string | undefined {
  return by === 'date' && value !== null && isWeekend(value) ? styles.weekend : undefined;
}
