import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import styles from './virtual-table.module.css';

/** How a person sets the widths of a table's columns. */
export interface ColumnSizing {
  min: number;
  max: number;
  /** Null gives the column its own width back. */
  onResize: (column: string, width: number | null) => void;
}

interface ColumnEdgeProps {
  column: string;
  title: string;
  sizing: ColumnSizing;
  /** The one edge of the table that Tab reaches. */
  tabStop: boolean;
  onFocus: () => void;
}

const keyStep = 16;

const cellOf = (edge: HTMLElement): number => edge.parentElement?.getBoundingClientRect().width ?? 0;

/** Goes to the edge of the next column, or of the one before. */
function goToEdge(from: HTMLElement, step: 1 | -1): void {
  const edges = [...(from.closest('[role=row]')?.querySelectorAll<HTMLElement>('[role=separator]') ?? [])];
  edges[edges.indexOf(from) + step]?.focus();
}

/**
 * The right edge of a column's header: dragged by the pointer, moved by ← and →, and back at its own width after a double
 * click or Enter. ↑ and ↓ lead to the edges of the columns beside it, so that a table has one stop for Tab.
 */
export function ColumnEdge({ column, title, sizing, tabStop, onFocus }: ColumnEdgeProps): ReactElement {
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
    // The same keys move the cursor of the table.
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
