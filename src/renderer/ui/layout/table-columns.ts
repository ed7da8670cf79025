import type { CSSProperties } from 'react';
import type { TableColumn } from './virtual-table.tsx';

/** Widths that a person has set, in pixels, by column; every other column has its own. */
export type ColumnWidths = Readonly<Record<string, number>>;

type Sized = Pick<TableColumn<never>, 'key' | 'width' | 'grow' | 'sticky'>;

/** A growing column takes no more than this before the columns beyond those in view do, in pixels. */
const mostGrown = 480;

const sumOf = (columns: readonly Sized[], widths: ColumnWidths): number =>
  columns.reduce((sum, { key, width }) => sum + (widths[key] ?? width), 0);

/**
 * The grid of the columns as custom properties: the least width of the whole, and each column's share. The growing column
 * takes what the columns that shall be in view leave of the table, then what all of them leave.
 */
export function tableStyle(
  columns: readonly (Sized & Pick<TableColumn<never>, 'inView'>)[],
  widths: ColumnWidths = {},
): CSSProperties {
  const grows = ({ key, grow }: Sized): boolean => grow === true && widths[key] === undefined;
  const growing = columns.find(grows);
  const others = columns.filter((column) => column !== growing);
  const beside = sumOf(
    others.filter(({ inView, sticky }) => inView ?? sticky),
    widths,
  );
  const grown = growing && `clamp(${growing.width}px, 100cqi - ${beside}px, ${mostGrown}px)`;
  const template = columns.map((column) =>
    column === growing ? `minmax(${grown}, 1fr)` : `${widths[column.key] ?? column.width}px`,
  );
  const least = `${sumOf(others, widths)}px`;
  return {
    ...stickyEdges(columns, widths),
    ['--columns' as string]: template.join(' '),
    ['--table-width' as string]: grown === undefined ? least : `calc(${least} + ${grown})`,
  };
}

/** The sticky columns by key, each with the custom property of its left edge, and which of them is the last. */
export interface StickyOffsets {
  left: ReadonlyMap<string, string>;
  last: string | null;
}

/** Names the left edge of every sticky column; {@link tableStyle} says where it is. */
export function stickyOffsets(columns: readonly Sized[]): StickyOffsets {
  const sticky = stickyColumns(columns).map(({ key }) => key);
  return { left: new Map(sticky.map((key) => [key, `var(${leftOf(key)})`])), last: sticky.at(-1) ?? null };
}

const leftOf = (key: string): string => `--left-${key}`;

function stickyColumns<Column extends Sized>(columns: readonly Column[]): readonly Column[] {
  const end = columns.findIndex(({ sticky }) => !sticky);
  return end === -1 ? columns : columns.slice(0, end);
}

function stickyEdges(columns: readonly Sized[], widths: ColumnWidths): Record<string, string> {
  const sticky = stickyColumns(columns);
  return Object.fromEntries(
    sticky.map(({ key }, index) => [leftOf(key), `${sumOf(sticky.slice(0, index), widths)}px`]),
  );
}
