import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import { ColumnEdge, type ColumnSizing } from './column-edge.tsx';
import type { StickyOffsets, TableColumn, VirtualTableProps } from './table-columns.ts';
import styles from './virtual-table.module.css';

interface TableHeadProps<Row> {
  columns: readonly TableColumn<Row>[];
  offsets: StickyOffsets;
  sort: VirtualTableProps<Row>['sort'];
  onSort: (column: string) => void;
  sizing: ColumnSizing | undefined;
}

/** Keeps keys of a title from the table, whose cursor they would move; ← and → lead to the titles beside it. */
function pressTitle(event: KeyboardEvent<HTMLButtonElement>): void {
  const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Enter: 0, ' ': 0 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.stopPropagation();
  if (step === 0) return;
  event.preventDefault();
  const title = event.currentTarget;
  const titles = [...(title.closest('[role=row]')?.querySelectorAll('button') ?? [])];
  titles[titles.indexOf(title) + step]?.focus();
}

/** The sticky header row. A press on a title sorts; `aria-sort` says how. Tab stops at one title and at one edge. */
export function TableHead<Row>(props: TableHeadProps<Row>): ReactElement {
  const { columns, offsets, sort, onSort, sizing } = props;
  const sizable = columns.filter(({ sortable }) => sortable);
  const [edgeAt, setEdgeAt] = useState<string | null>(null);
  const [titleAt, setTitleAt] = useState<string | null>(null);
  const stopAt = (key: string | null): TableColumn<Row> | undefined =>
    sizable.find((column) => column.key === key);
  const edgeStop = stopAt(edgeAt) ?? sizable[0];
  const titleStop = stopAt(titleAt) ?? stopAt(sort.column) ?? sizable[0];
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      {columns.map((column, index) => {
        const sorted = sort.column === column.key;
        const direction = sort.order === 'asc' ? 'ascending' : 'descending';
        return (
          <div
            key={column.key}
            role="columnheader"
            aria-colindex={index + 1}
            aria-label={column.title}
            aria-sort={column.sortable ? (sorted ? direction : 'none') : undefined}
            className={cx(styles.header, ...columnClasses(column, offsets))}
            style={stickyStyle(column.key, offsets)}
          >
            {column.sortable ? (
              <button
                type="button"
                tabIndex={column === titleStop ? 0 : -1}
                className={cx(styles.sort, sorted && styles.sorted)}
                aria-label={`Sort by ${column.title}`}
                onFocus={() => setTitleAt(column.key)}
                onKeyDown={pressTitle}
                onClick={() => onSort(column.key)}
              >
                {column.title}
                <Icon name={sort.order === 'asc' ? 'arrow-up' : 'arrow-down'} size={12} />
              </button>
            ) : (
              (column.head ?? column.title)
            )}
            {sizing && column.sortable && (
              <ColumnEdge
                column={column.key}
                title={column.title}
                sizing={sizing}
                tabStop={column === edgeStop}
                onFocus={() => setEdgeAt(column.key)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface TableFootProps<Row> {
  columns: readonly TableColumn<Row>[];
  offsets: StickyOffsets;
  rowIndex: number;
}

/** The row of totals, which stays at the foot of the table. */
export function TableFoot<Row>({ columns, offsets, rowIndex }: TableFootProps<Row>): ReactElement {
  return (
    <div className={styles.foot} role="row" aria-rowindex={rowIndex}>
      {columns.map((column, index) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={index + 1}
          className={cx(styles.cell, ...columnClasses(column, offsets))}
          style={stickyStyle(column.key, offsets)}
        >
          {column.foot}
        </div>
      ))}
    </div>
  );
}

/** The class names that place a cell: its alignment and whether it stays at the left. */
export function columnClasses<Row>(
  column: TableColumn<Row>,
  offsets: StickyOffsets,
): (string | false | undefined)[] {
  return [
    column.align === 'end' && styles.end,
    column.sticky && styles.sticky,
    offsets.last === column.key && styles.lastSticky,
  ];
}

/** The left edge of a sticky cell. */
export function stickyStyle(key: string, offsets: StickyOffsets): { left: string } | undefined {
  const left = offsets.left.get(key);
  return left === undefined ? undefined : { left };
}
