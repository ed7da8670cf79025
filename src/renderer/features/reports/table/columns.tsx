import { heatOf } from '../stores/heat-store.ts';
import { heatStore, reportsStore } from '../stores/stores.ts';
import { inOrder, type ReportLook } from '../stores/report-preferences.ts';
import { periodWord, type ReportHead } from '../stores/report-rows.ts';
import { valueOf } from '../stores/report-query.ts';
import { targetKey } from '../stores/marks-store.ts';
import {
  useFormats,
  Checkbox,
  cx,
  Icon,
  Skeleton,
  type TableColumn,
  common,
  pages,
} from '#renderer/ui/index.ts';
import type { Mark, ReportColumn, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  columnLabel,
  differenceOf,
  dimensionLabel,
  formatValue,
  meaningOf,
  reportMetrics,
  shareColumnId,
  sortedColumn,
  totalLabel,
  type UnlikeRate,
  valueLabel,
} from '#shared/reports/index.ts';
import type { CSSProperties, ReactElement } from 'react';
import { useStore } from 'zustand';
import { ChangeText, NameCell } from './cells.tsx';
import styles from './report-table.module.css';
import { shareOfTotal } from '../stores/table-file.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface ShownReport {
  query: ReportQuery;
  head: ReportHead | null;
  look: ReportLook;
  marks: ReadonlyMap<string, Mark>;
}

export function choosableColumns({
  query,
  head,
  look,
}: Omit<ShownReport, 'marks'>): { id: string; label: string }[] {
  const { kind } = query.source;
  const known = reportMetrics[kind].map(({ id }) => ({ id, label: null }));
  const columns = new Map((head?.columns ?? known).map((column) => [column.id, column]));
  return inOrder([shareColumnId, ...columns.keys()], look.order).map((id) => {
    const column = columns.get(id);
    return { id, label: column ? inertText(columnLabel(column)) : 'Share of total' };
  });
}

export function reportColumns(report: ShownReport, formats: Formats): TableColumn<ReportRow>[] {
  const { query, head, look } = report;
  const figures = choosableColumns(report)
    .filter(({ id }) => !look.hidden.includes(id))
    .map(({ id, label }) => {
      if (id === shareColumnId) return shareColumnOf(query, head, formats);
      const at = head?.columns.findIndex((column) => column.id === id) ?? -1;
      return figureColumn({
        id,
        label: sortedLabel(query, id, label),
        at,
        head,
        levels: query.levels,
        heat: look.heat,
      });
    });
  return [selectColumn(query), nameColumn(report, formats), ...figures];
}

function sortedLabel({ sort }: ReportQuery, id: string, label: string): string {
  const { column, byDifference } = sortedColumn(sort.column);
  return byDifference && column === id ? `${label} Δ` : label;
}

function selectColumn(query: ReportQuery): TableColumn<ReportRow> {
  return {
    key: 'select',
    title: 'Selected',
    head: <span className={pages.unseen}>Selected</span>,
    width: 36,
    sticky: true,
    render: (row) => <SelectRow row={row} dimension={query.levels[row.path.length - 1] ?? ''} />,
    placeholder: null,
  };
}

function SelectRow({ row, dimension }: { row: ReportRow; dimension: string }): ReactElement {
  const selected = useStore(reportsStore, ({ selection }) => selection.has(JSON.stringify(row.path)));
  return (
    <Checkbox
      hideLabel
      label={`Select ${inertText(valueLabel(dimension, row.path.at(-1) ?? null))}`}
      tabIndex={-1}
      checked={selected}
      onChange={() => reportsStore.getState().toggleSelected(row)}
    />
  );
}

function nameColumn({ query, head, marks }: ShownReport, formats: Formats): TableColumn<ReportRow> {
  return {
    key: query.levels[0] ?? 'date',
    title: query.levels.map((level) => inertText(dimensionLabel(level))).join(' › '),
    width: 224,
    grow: true,
    sticky: true,
    sortable: true,
    render: (row) => (
      <NameCell
        row={row}
        query={query}
        mark={marks.get(targetKey({ source: query.source, ...valueOf(query, row.path) })) ?? null}
        incompleteDay={head?.incompleteDay ?? null}
        columns={head?.columns ?? []}
      />
    ),
    foot: head && <span>{totalLabel(query, formats)}</span>,
    placeholder: <Skeleton width="55%" />,
  };
}

function shareColumnOf(
  query: ReportQuery,
  head: ReportHead | null,
  formats: Formats,
): TableColumn<ReportRow> {
  const { column, of, foot } = shareOfTotal(query, head, formats);
  return {
    key: shareColumnId,
    title: inertText(columnLabel(column)),
    head: 'Share',
    width: 96,
    inView: true,
    align: 'end',
    render: (row) => {
      const { text, part } = of(row);
      return (
        <span className={styles.share}>
          <span aria-hidden className={styles.shareBar} style={{ '--share': part } as CSSProperties} />
          <span className={styles.shareText}>{text}</span>
        </span>
      );
    },
    foot,
    placeholder: <Skeleton width="48px" />,
  };
}

/** In pixels. Compared values need no width, because they are on a second line. */
const widths = { count: 116, money: 124, share: 108, rate: 100, number: 116 } as const;
const comparedWidth = 148;

/** Pixels per letter, and of the arrow and the edges. `max` limits titles that come from the service. */
const titleWidths = { letter: 7, beside: 30, max: 240 } as const;

function widthOf(kind: keyof typeof widths, label: string, isCompared: boolean): number {
  const { letter, beside, max } = titleWidths;
  const title = Math.min(max, beside + letter * label.length);
  return Math.max(isCompared ? comparedWidth : widths[kind], title);
}

interface FigureColumn {
  id: string;
  label: string;
  at: number;
  head: ReportHead | null;
  levels: readonly string[];
  heat: boolean;
}

function figureColumn({ id, label, at, head, levels, heat }: FigureColumn): TableColumn<ReportRow> {
  const column = head?.columns[at];
  const isCompared = head?.comparedTotals != null;
  const wordOf = (row: Parameters<typeof periodWord>[0]) =>
    isCompared ? periodWord(row, levels, head) : null;
  const Cell = heat ? HeatCell : FigureCell;
  return {
    key: id,
    title: label,
    width: widthOf(column?.kind ?? 'count', label, isCompared),
    inView: true,
    align: 'end',
    sortable: true,
    render: (row) =>
      column && (
        <Cell
          column={column}
          value={row.values[at] ?? null}
          before={isCompared ? (row.compared?.[at] ?? null) : undefined}
          word={wordOf(row)}
          unlike={row.unlike.find(({ column }) => column === id)}
          row={row}
          at={at}
        />
      ),
    foot: column && (
      <FigureCell
        column={column}
        value={head?.totals[at] ?? null}
        before={isCompared ? (head?.comparedTotals?.[at] ?? null) : undefined}
        word={head && wordOf({ path: [], values: head.totals, compared: head.comparedTotals })}
      />
    ),
    placeholder: <Skeleton width="56px" />,
  };
}

interface FigureCellProps {
  column: ReportColumn;
  value: string | null;
  before: string | null | undefined;
  word: ReturnType<typeof periodWord>;
  unlike?: UnlikeRate | undefined;
  heat?: number | null;
}

function HeatCell({ row, at, ...figure }: FigureCellProps & { row: ReportRow; at: number }): ReactElement {
  return <FigureCell {...figure} heat={useStore(heatStore, (state) => heatOf(state, row, at))} />;
}

export function RateValue(props: {
  column: ReportColumn;
  value: string | null;
  unlike: UnlikeRate | undefined;
}): ReactElement {
  const formats = useFormats();
  const { column, value, unlike } = props;
  if (unlike === undefined) return <span>{formatValue(column, value, formats)}</span>;
  const reason = `${unlike.is === 'low' ? 'Low' : 'High'}: typically ${formatValue(column, unlike.typical, formats)}`;
  return (
    <span className={cx(styles.unlike, styles[meaningOf(unlike)])} title={reason}>
      <Icon name="flag" size={12} />
      {formatValue(column, value, formats)}
      <span className={pages.unseen}>{reason}</span>
    </span>
  );
}

function FigureCell({ column, value, before, word, unlike, heat = null }: FigureCellProps): ReactElement {
  const formats = useFormats();
  const difference = before === undefined ? null : differenceOf(column, value, before, formats);
  return (
    <span
      className={cx(styles.figure, heat !== null && styles.tableHeat)}
      style={heat === null ? undefined : ({ '--heat': heat } as CSSProperties)}
    >
      <RateValue column={column} value={value} unlike={unlike} />
      {before !== undefined && (
        <span className={styles.change}>
          {difference === null ? (
            <span className={common.faint}>{(value ?? before) === null ? '—' : (word ?? '—')}</span>
          ) : (
            <ChangeText difference={difference} part="both" />
          )}
        </span>
      )}
    </span>
  );
}
