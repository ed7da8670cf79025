import { memo, type MouseEvent, type ReactElement } from 'react';
import { cx } from '../cx.ts';
import type { StickyOffsets, TableColumn } from './table-columns.ts';
import { columnClasses, stickyStyle } from './table-head.tsx';
import type { Drawing } from './use-drawn-rows.ts';
import styles from './virtual-table.module.css';

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
export const TableRow = memo(DrawnRow) as typeof DrawnRow;
