import { useVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  type MouseEvent,
  type ReactElement,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { cx } from '../cx.ts';
import {
  stickyOffsets,
  type StickyOffsets,
  type TableColumn,
  tableStyle,
  type VirtualTableProps,
} from './table-columns.ts';
import { columnClasses, stickyStyle, TableFoot, TableHead } from './table-head.tsx';
import { type Drawing, useDrawnRows } from './virtual-list.tsx';
import styles from './virtual-table.module.css';

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
      className={styles.tableScroller}
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
 * Reports the rows in view at most every 80 ms, the last ones for certain: a user who drags through a long list
 * passes hundreds of pages that need not be read.
 */
function useThrottledRange(first: number, last: number, onShow: (first: number, last: number) => void): void {
  const reportedAtMs = useRef(0);
  useEffect(() => {
    const report = (): void => {
      reportedAtMs.current = performance.now();
      onShow(first, last);
    };
    const waitMs = reportedAtMs.current + everyMs - performance.now();
    if (waitMs <= 0) return report();
    const timer = setTimeout(report, waitMs);
    return () => clearTimeout(timer);
  }, [first, last, onShow]);
}

interface TableRowProps<Row> {
  row: Row | undefined;
  drawing: Drawing;
  index: number;
  /** Distance from the top of the body in pixels. */
  top: number;
  columns: readonly TableColumn<Row>[];
  offsets: StickyOffsets;
  selected: boolean;
  open: boolean;
  underCursor: boolean;
  className: string | undefined;
  /** Of a tree: its level, from 1, and whether it is open. */
  level: number | undefined;
  expanded: boolean | undefined;
  onClick: (index: number, event: MouseEvent) => void;
}

function DrawnRow<Row>(props: TableRowProps<Row>): ReactElement {
  const { row, drawing, index, top, columns, offsets, selected, open, underCursor, onClick } = props;
  const { className, level, expanded } = props;
  return (
    <div
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-level={level}
      aria-expanded={expanded}
      aria-busy={drawing !== 'row'}
      className={cx(
        styles.row,
        selected && styles.selected,
        open && styles.open,
        underCursor && styles.cursor,
        className,
      )}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onClick(index, event)}
    >
      {drawing !== 'ground' &&
        columns.map((column, columnIndex) => (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={columnIndex + 1}
            className={cx(styles.cell, ...columnClasses(column, offsets))}
            style={stickyStyle(column.key, offsets)}
          >
            {row === undefined || drawing === 'placeholder' ? column.placeholder : column.render(row, index)}
          </div>
        ))}
    </div>
  );
}

/** One row of the virtual table. Drawn again only when something of its own changes, so that scrolling draws new rows alone. */
const TableRow = memo(DrawnRow) as typeof DrawnRow;
