import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { cx } from '../cx.ts';
import type { ColumnSizing } from './column-edge.tsx';
import { type ColumnWidths, stickyOffsets, tableStyle } from './table-columns.ts';
import { TableFoot, TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';
import styles from './virtual-table.module.css';

/** One column. Widths are pixels, the least ones of a column that grows. */
export interface TableColumn<Row> {
  key: string;
  title: string;
  /** Drawn in place of the title, which stays the accessible name. */
  head?: ReactNode;
  width: number;
  /** Takes what is left over; one column of a table. */
  grow?: boolean;
  /** Shall be seen without scrolling, where the table is wide enough for it; sticky columns are. */
  inView?: boolean;
  align?: 'start' | 'end';
  sortable?: boolean;
  /** Stays at the left while the rest scrolls; sticky columns come first. */
  sticky?: boolean;
  render: (row: Row, index: number) => ReactNode;
  /** Stands in the row of totals, which stays at the foot. A table has one as soon as a column has something for it. */
  foot?: ReactNode;
  /** What stands there while the row has not been read. */
  placeholder: ReactNode;
}

export interface VirtualTableProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  /** Widths that a person has set. */
  widths?: ColumnWidths;
  /** Absent where widths are fixed. */
  sizing?: ColumnSizing;
  rowCount: number;
  rowHeight: number;
  /** Undefined while a row has not been read. */
  rowAt: (index: number) => Row | undefined;
  /** What a row is about, the same when it is read again. */
  keyOf: (row: Row) => string | number;
  isSelected: (row: Row) => boolean;
  isOpen: (row: Row) => boolean;
  /** The class of a row that is drawn differently. */
  classOf?: (row: Row) => string | undefined;
  /** Makes the rows a tree: the level of each, from 1, and whether it is open; null for a row that cannot be. */
  branchOf?: (row: Row) => { level: number; expanded: boolean | null };
  /** The row that the keyboard is on. */
  cursor: number;
  sort: { column: string; order: 'asc' | 'desc' };
  onSort: (column: string) => void;
  onRowClick: (index: number, event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent, rowsOnScreen: number) => void;
  /** Called with the first and last row in view. */
  onShow: (first: number, last: number) => void;
  /** Dims the rows while newer ones are on their way. */
  dim?: boolean;
  /** When it changes, the table goes back to its first row. */
  scrollKey: unknown;
  ref?: Ref<HTMLDivElement>;
}

/**
 * A table of any length that renders no more than a screenful. It has the focus as a whole;
 * the row under the cursor is its active descendant. Rows beyond those that were read show placeholders.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactElement {
  const { label, columns, rowCount, rowHeight, rowAt, cursor, onShow, onKeyDown } = props;
  const scroller = useRef<HTMLDivElement>(null);
  useImperativeHandle(props.ref, () => scroller.current as HTMLDivElement, []);
  const hasFoot = columns.some(({ foot }) => foot !== undefined);
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 3,
    scrollPaddingStart: rowHeight,
    scrollPaddingEnd: hasFoot ? 2 * rowHeight : rowHeight,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);
  useThrottledRange(first, last, onShow);
  const drawingOf = useDrawnRows({
    first,
    last,
    keyAt(index) {
      const row = rowAt(index);
      return row && props.keyOf(row);
    },
  });
  useEffect(() => {
    if (rowCount > 0) virtualizer.scrollToIndex(cursor, { align: 'auto' });
  }, [cursor, rowCount, virtualizer]);

  const height = virtualizer.scrollRect?.height ?? 0;
  const heightBefore = useRef(height);
  useEffect(() => {
    // Where the table gets lower, a cursor that was in view stays in view: the row that was selected last, for one.
    const bottom = (cursor + 1) * rowHeight;
    const offset = virtualizer.scrollOffset ?? 0;
    const body = heightBefore.current - rowHeight;
    const wasInView = cursor * rowHeight >= offset && bottom <= offset + body + 1;
    if (height < heightBefore.current && wasInView) virtualizer.scrollToIndex(cursor, { align: 'auto' });
    heightBefore.current = height;
  }, [height, cursor, rowHeight, virtualizer]);

  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [props.scrollKey]);

  // The rows take their widths and edges from the style alone, so that a drag draws none of them again.
  const offsets = useMemo(() => stickyOffsets(columns), [columns]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its role is that of a grid in either case
    <div
      ref={scroller}
      className={styles.scroller}
      role={props.branchOf ? 'treegrid' : 'grid'}
      aria-label={label}
      aria-rowcount={rowCount + (hasFoot ? 2 : 1)}
      aria-colcount={columns.length}
      aria-busy={props.dim ?? false}
      aria-multiselectable
      aria-activedescendant={rowCount > 0 ? `row-${cursor}` : undefined}
      tabIndex={0}
      style={tableStyle(columns, props.widths)}
      onKeyDown={(event) => onKeyDown(event, Math.max(1, last - first - 12))}
    >
      <TableHead
        columns={columns}
        offsets={offsets}
        sort={props.sort}
        onSort={props.onSort}
        sizing={props.sizing}
      />
      <div
        className={cx(styles.body, props.dim && styles.dim)}
        role="rowgroup"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map((item) => {
          const row = rowAt(item.index);
          const branch = row && props.branchOf?.(row);
          return (
            <TableRow
              key={item.key}
              top={item.start}
              index={item.index}
              row={row}
              drawing={drawingOf(item.index)}
              columns={columns}
              offsets={offsets}
              selected={row !== undefined && props.isSelected(row)}
              open={row !== undefined && props.isOpen(row)}
              underCursor={item.index === cursor}
              className={row && props.classOf?.(row)}
              level={branch?.level}
              expanded={branch?.expanded ?? undefined}
              onClick={props.onRowClick}
            />
          );
        })}
      </div>
      {hasFoot && <TableFoot columns={columns} offsets={offsets} rowIndex={rowCount + 2} />}
    </div>
  );
}

const everyMs = 80;

/**
 * Tells the rows in view at most every 80 ms, the last ones for certain: somebody who drags through a long list
 * passes hundreds of pages that nobody needs.
 */
function useThrottledRange(first: number, last: number, onShow: (first: number, last: number) => void): void {
  const toldAtMs = useRef(0);
  useEffect(() => {
    const tell = (): void => {
      toldAtMs.current = performance.now();
      onShow(first, last);
    };
    const waitMs = toldAtMs.current + everyMs - performance.now();
    if (waitMs <= 0) return tell();
    const timer = setTimeout(tell, waitMs);
    return () => clearTimeout(timer);
  }, [first, last, onShow]);
}
