import {
  memo,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { cx } from '../cx.ts';
import { focusIsFree } from '../controls/keep-focus.ts';
import { modalIsOpen } from '../overlay/dialog.tsx';
import {
  stickyOffsets,
  type StickyOffsets,
  type TableColumn,
  type TablePlace,
  tableStyle,
  type VirtualTableProps,
} from './table-columns.ts';
import { columnClasses, stickyStyle, TableFoot, TableHead } from './table-head.tsx';
import {
  bringIntoView,
  type Drawing,
  useDrawnRows,
  useRowWindow,
  useThrottledRange,
} from './rows-in-view.ts';
import styles from './virtual-table.module.css';

/**
 * A table that draws only rows in view. The table itself has the focus, and the row or cell under the cursor is its
 * active descendant.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactElement {
  const { ref, label, columns, rowCount, rowHeight, rowAt, keyOf, cursor, scrollKey } = props;
  const { isSelected, isOpen, classOf, branchOf, onShow, onRowClick, onKeyDown, activeColumn = null } = props;
  const scroller = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => scroller.current as HTMLDivElement, []);
  const hasFoot = columns.some(({ foot }) => foot !== undefined);
  const { first, last, height } = useRowWindow({ scroller, count: rowCount, rowHeight });
  useThrottledRange(first, Math.max(first, last), onShow);
  const drawingOf = useDrawnRows({
    first,
    last,
    keyAt(index) {
      const row = rowAt(index);
      return row && keyOf(row);
    },
  });
  const below = hasFoot ? 2 * rowHeight : rowHeight;
  const showCursor = useEffectEvent(() => bringIntoView(scroller.current, cursor, { rowHeight, below }));
  useEffect(() => {
    if (rowCount > 0) showCursor();
  }, [cursor, rowCount]);

  useEffect(() => {
    if (activeColumn === null) return;
    const cell = document.getElementById(cellId(cursor, activeColumn));
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [cursor, activeColumn]);

  const heightBefore = useRef(height);
  useEffect(() => {
    // If the table shrinks, a cursor that was in view stays in view.
    const bottom = (cursor + 1) * rowHeight;
    const offset = scroller.current?.scrollTop ?? 0;
    const body = heightBefore.current - rowHeight;
    const wasInView = cursor * rowHeight >= offset && bottom <= offset + body + 1;
    if (height < heightBefore.current && wasInView) showCursor();
    heightBefore.current = height;
  }, [height, cursor, rowHeight]);

  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [scrollKey]);

  const isEditable = columns.some(({ editable }) => editable);
  // Widths and edges are custom properties, so that dragging redraws no row.
  const offsets = useMemo(() => stickyOffsets(columns), [columns]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its role is that of a grid in either case
    <div
      ref={scroller}
      className={styles.tableScroller}
      role={branchOf ? 'treegrid' : 'grid'}
      aria-label={label}
      aria-rowcount={rowCount + (hasFoot ? 2 : 1)}
      aria-colcount={columns.length}
      aria-busy={props.dim ?? false}
      aria-multiselectable
      aria-activedescendant={rowCount === 0 ? undefined : activeId(cursor, activeColumn)}
      tabIndex={0}
      style={tableStyle(columns, props.widths)}
      onKeyDown={(event) => onKeyDown(event, Math.max(1, last - first - 12))}
      onDoubleClick={props.onCellDoubleClick}
      onPointerDown={props.onCellPointerDown}
      onPointerMove={props.onCellPointerMove}
      onContextMenu={props.onCellContextMenu}
      onPaste={props.onPaste}
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
        style={{ height: rowCount * rowHeight }}
      >
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((index) => {
          const row = rowAt(index);
          const branch = row && branchOf?.(row);
          return (
            <TableRow
              key={index}
              top={index * rowHeight}
              index={index}
              row={row}
              drawing={drawingOf(index)}
              columns={columns}
              offsets={offsets}
              selected={row !== undefined && isSelected(row)}
              open={row !== undefined && isOpen(row)}
              underCursor={index === cursor}
              activeColumn={index === cursor || (row !== undefined && isSelected(row)) ? activeColumn : null}
              isEditable={isEditable}
              className={row && classOf?.(row)}
              level={branch?.level}
              expanded={branch?.expanded ?? undefined}
              onClick={onRowClick}
            />
          );
        })}
      </div>
      {hasFoot && <TableFoot columns={columns} offsets={offsets} rowIndex={rowCount + 2} />}
    </div>
  );
}

const cellId = (index: number, column: string): string => `cell-${index}-${column}`;

const activeId = (index: number, column: string | null): string =>
  column === null ? `row-${index}` : cellId(index, column);

/** The cell of a table that contains the target of an event. Null outside cells. */
export function placeOfCell(
  target: EventTarget | null,
  columns: readonly Pick<TableColumn<never>, 'key'>[],
): TablePlace | null {
  const cell = target instanceof Element ? target.closest('[role=gridcell]') : null;
  const index = Number(cell?.closest('[role=row]')?.getAttribute('aria-rowindex')) - 2;
  const column = columns[Number(cell?.getAttribute('aria-colindex')) - 1];
  return cell === null || column === undefined ? null : { index, column: column.key };
}

interface TableRowProps<Row> {
  row: Row | undefined;
  drawing: Drawing;
  index: number;
  top: number;
  columns: readonly TableColumn<Row>[];
  offsets: StickyOffsets;
  selected: boolean;
  open: boolean;
  underCursor: boolean;
  activeColumn: string | null;
  /** True if any column can be edited: the cells of the others are then read-only. */
  isEditable: boolean;
  className: string | undefined;
  level: number | undefined;
  expanded: boolean | undefined;
  onClick: (index: number, event: MouseEvent) => void;
}

function DrawnRow<Row>(props: TableRowProps<Row>): ReactElement {
  const { row, drawing, index, top, columns, offsets, selected, open, underCursor, onClick } = props;
  const { className, level, expanded, activeColumn, isEditable } = props;
  const shown = drawing === 'placeholder' ? undefined : row;
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
        underCursor && activeColumn !== null && styles.byCell,
        className,
      )}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onClick(index, event)}
    >
      {drawing !== 'ground' &&
        cellsOf(columns, shown).map(({ column, at, span }) => (
          <div
            key={column.key}
            id={underCursor && column.key === activeColumn ? cellId(index, column.key) : undefined}
            role="gridcell"
            aria-colindex={at + 1}
            aria-colspan={span === 1 ? undefined : span}
            // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.2 allows it in a grid; the rule does not know this
            aria-readonly={isEditable ? column.editable !== true : undefined}
            aria-selected={column.key === activeColumn ? selected : undefined}
            className={cx(
              styles.cell,
              ...columnClasses(column, offsets),
              column.editable && styles.editable,
              column.key === activeColumn && (underCursor ? styles.active : styles.inRange),
            )}
            style={{ ...stickyStyle(column.key, offsets), ...(span > 1 && { gridColumn: `span ${span}` }) }}
          >
            {shown === undefined ? column.placeholder : column.render(shown, index)}
          </div>
        ))}
    </div>
  );
}

function cellsOf<Row>(
  columns: readonly TableColumn<Row>[],
  row: Row | undefined,
): { column: TableColumn<Row>; at: number; span: number }[] {
  let next = 0;
  return columns.flatMap((column, at) => {
    if (at < next) return [];
    const span = (row !== undefined && column.spanOf?.(row)) || 1;
    next = at + span;
    return [{ column, at, span }];
  });
}

/** Redraws a row only if its own props change. */
const TableRow = memo(DrawnRow) as typeof DrawnRow;

/** Passes keys to a table while no control has the focus. A key that `press` handles focuses it. */
export function useForwardedKeys(
  grid: RefObject<HTMLDivElement | null>,
  press: (event: globalThis.KeyboardEvent) => boolean,
): void {
  const forward = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    if (!focusIsFree() || event.defaultPrevented || modalIsOpen()) return;
    if (!press(event)) return;
    event.preventDefault();
    grid.current?.focus();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent): void => forward(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
