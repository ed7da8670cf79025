import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef, useState } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import type { ColumnSizing, StickyOffsets, TableColumn, VirtualTableProps } from './table-columns.ts';
import styles from './virtual-table.module.css';

interface TableHeadProps<Row> {
  columns: readonly TableColumn<Row>[];
  offsets: StickyOffsets;
  sort: VirtualTableProps<Row>['sort'];
  onSort: (column: string) => void;
  sizing: ColumnSizing | undefined;
}

/** Stops the keys that a title handles, so that they do not move the cursor of the table. */
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

const isSizable = ({ sortable, sizable }: TableColumn<never>): boolean => (sortable ?? sizable) === true;

/** The head of a table. It has two Tab stops: one title and one edge. */
export function TableHead<Row>(props: TableHeadProps<Row>): ReactElement {
  const { columns, offsets, sort, onSort, sizing } = props;
  const sortable = columns.filter((column) => column.sortable);
  const sizable = columns.filter(isSizable);
  const [edgeAt, setEdgeAt] = useState<string | null>(null);
  const [titleAt, setTitleAt] = useState<string | null>(null);
  const titleOf = (key: string | null): TableColumn<Row> | undefined =>
    sortable.find((column) => column.key === key);
  const edgeStop = sizable.find((column) => column.key === edgeAt) ?? sizable[0];
  const titleStop = titleOf(titleAt) ?? titleOf(sort.column) ?? sortable[0];
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
            {sizing && isSizable(column) && (
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

export function stickyStyle(key: string, offsets: StickyOffsets): { left: string } | undefined {
  const left = offsets.left.get(key);
  return left === undefined ? undefined : { left };
}

interface ColumnEdgeProps {
  column: string;
  title: string;
  sizing: ColumnSizing;
  tabStop: boolean;
  onFocus: () => void;
}

const keyStep = 16;

const cellOf = (edge: HTMLElement): number => edge.parentElement?.getBoundingClientRect().width ?? 0;

function goToEdge(from: HTMLElement, step: 1 | -1): void {
  const edges = [...(from.closest('[role=row]')?.querySelectorAll<HTMLElement>('[role=separator]') ?? [])];
  edges[edges.indexOf(from) + step]?.focus();
}

/**
 * The edge of a column: drag it, or press ← and →. A double click or Enter resets the width. ↑ and ↓ lead to other
 * edges, so that all edges are one Tab stop.
 */
function ColumnEdge({ column, title, sizing, tabStop, onFocus }: ColumnEdgeProps): ReactElement {
  const { min, max, onResize } = sizing;
  const drag = useRef<{ startX: number; startWidth: number } | null>(null);
  const [width, setWidth] = useState(0);

  function resize(to: number | null): void {
    onResize(column, to);
    if (to !== null) setWidth(Math.round(Math.min(max, Math.max(min, to))));
  }

  function down(event: PointerEvent<HTMLDivElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { startX: event.clientX, startWidth: cellOf(event.currentTarget) };
  }

  function move(event: PointerEvent<HTMLDivElement>): void {
    if (drag.current) resize(drag.current.startWidth + event.clientX - drag.current.startX);
  }

  function press(event: KeyboardEvent<HTMLDivElement>): void {
    const edge = event.currentTarget;
    if (event.key === 'ArrowRight') resize(cellOf(edge) + keyStep);
    else if (event.key === 'ArrowLeft') resize(cellOf(edge) - keyStep);
    else if (event.key === 'ArrowDown') goToEdge(edge, 1);
    else if (event.key === 'ArrowUp') goToEdge(edge, -1);
    else if (event.key === 'Enter') resize(null);
    else return;
    // Otherwise these keys would move the cursor of the table.
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      className={styles.edge}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={tabStop ? 0 : -1}
      onFocus={(event) => {
        setWidth(Math.round(cellOf(event.currentTarget)));
        onFocus();
      }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => (drag.current = null)}
      onDoubleClick={() => resize(null)}
      onKeyDown={press}
    />
  );
}
