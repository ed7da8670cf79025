import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';

export interface ColumnSizing {
  min: number;
  max: number;
  onResize: (column: string, width: number | null) => void;
}

/** Widths that a person has set, in pixels, by column; every other column has its own. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** One column. Widths are pixels, the least ones of a column that grows. */
export interface TableColumn<Row> {
  key: string;
  title: string;
  /** Drawn in place of the title, which stays the accessible name. */
  head?: ReactNode;
  width: number;
  grow?: boolean;
  /** Shall be seen without scrolling, where the table is wide enough for it; sticky columns are. */
  inView?: boolean;
  align?: 'start' | 'end';
  sortable?: boolean;
  /** Can be made wider and narrower; a sortable column always can. */
  sizable?: boolean;
  /** Stays at the left while the rest scrolls; sticky columns come first. */
  sticky?: boolean;
  render: (row: Row, index: number) => ReactNode;
  /** Number of columns that the cell of a row takes, this one and those after it; 1 if absent. */
  spanOf?: (row: Row) => number;
  /** Stands in the row of totals, which stays at the foot. A table has one as soon as a column has something for it. */
  foot?: ReactNode;
  placeholder: ReactNode;
}

export interface VirtualTableProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  widths?: ColumnWidths;
  sizing?: ColumnSizing;
  rowCount: number;
  rowHeight: number;
  rowAt: (index: number) => Row | undefined;
  /** The identity of a row, the same when it is read again. */
  keyOf: (row: Row) => string | number;
  isSelected: (row: Row) => boolean;
  isOpen: (row: Row) => boolean;
  classOf?: (row: Row) => string | undefined;
  /** Makes the rows a tree: the level of each, from 1, and whether it is open; null for a row that cannot be. */
  branchOf?: (row: Row) => { level: number; expanded: boolean | null };
  cursor: number;
  sort: { column: string; order: 'asc' | 'desc' };
  onSort: (column: string) => void;
  onRowClick: (index: number, event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent, rowsOnScreen: number) => void;
  onShow: (first: number, last: number) => void;
  dim?: boolean;
  scrollKey: unknown;
  ref?: Ref<HTMLDivElement>;
}

type Sized = Pick<TableColumn<never>, 'key' | 'width' | 'grow' | 'sticky'>;

/** A growing column takes no more than this before the columns beyond those in view do, in pixels. */
const maxGrown = 480;

/** A growing column that stays at the left is never narrower, in pixels. */
const leastSticky = 96;

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
  const grown = growing && `clamp(${leastOf(growing, others, widths)}, 100cqi - ${beside}px, ${maxGrown}px)`;
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

/** The least width of the growing column. One that stays at the left is not wider than what is left of a narrow table: its end would be out of reach. */
function leastOf(growing: Sized, others: readonly Sized[], widths: ColumnWidths): string {
  if (!growing.sticky) return `${growing.width}px`;
  const beside = sumOf(stickyColumns(others), widths);
  return `min(${growing.width}px, max(${leastSticky}px, 100cqi - ${beside}px))`;
}

/** Pixels of characters of figures in a table, at most, and of the padding beside them. */
const figureWidth = 8.5;
const narrowWidth = 4;
const arrowWidth = 12;
const padding = 16;

/** The width of a column that shows each of these amounts, dates or short words in full, and at least this one, in pixels. */
export function widthOfTexts(texts: readonly string[], least: number): number {
  return Math.ceil(Math.max(least, ...texts.map((text) => widthOfText(text) + padding)));
}

function widthOfText(text: string): number {
  const narrow = text.match(/[.,: ]/gu)?.length ?? 0;
  const arrows = text.match(/→/gu)?.length ?? 0;
  return (text.length - narrow - arrows) * figureWidth + narrow * narrowWidth + arrows * arrowWidth;
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
