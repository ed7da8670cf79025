import type {
  ClipboardEvent,
  CSSProperties,
  KeyboardEvent,
  MouseEvent,
  PointerEvent,
  ReactNode,
  Ref,
} from 'react';

export interface ColumnSizing {
  min: number;
  max: number;
  onResize: (column: string, width: number | null) => void;
}

/** In pixels, by column. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** A column. Widths are in pixels. A growing column is at least as wide as its `width`. */
export interface TableColumn<Row> {
  key: string;
  title: string;
  head?: ReactNode;
  width: number;
  grow?: boolean;
  /** True if the column is visible without scrolling in a wide enough table. Sticky columns always are. */
  inView?: boolean;
  align?: 'start' | 'end';
  sortable?: boolean;
  sizable?: boolean;
  /** Sticky columns must come first. */
  sticky?: boolean;
  render: (row: Row, index: number) => ReactNode;
  spanOf?: (row: Row) => number;
  foot?: ReactNode;
  editable?: boolean;
  placeholder: ReactNode;
}

export interface TablePlace {
  index: number;
  column: string;
}

export interface VirtualTableProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  widths?: ColumnWidths;
  sizing?: ColumnSizing;
  rowCount: number;
  rowHeight: number;
  rowAt: (index: number) => Row | undefined;
  /** Must not change when the row is read again. */
  keyOf: (row: Row) => string | number;
  isSelected: (row: Row) => boolean;
  isOpen: (row: Row) => boolean;
  classOf?: (row: Row) => string | undefined;
  /** Makes the rows a tree. Levels start at 1. `expanded` is null for a row without children. */
  branchOf?: (row: Row) => { level: number; expanded: boolean | null };
  cursor: number;
  /** The column of the active cell under the cursor. Null while the complete row is active. */
  activeColumn?: string | null;
  sort: { column: string; order: 'asc' | 'desc' };
  onSort: (column: string) => void;
  onRowClick: (index: number, event: MouseEvent) => void;
  onCellDoubleClick?: (event: MouseEvent) => void;
  onCellPointerDown?: (event: PointerEvent) => void;
  onCellPointerMove?: (event: PointerEvent) => void;
  onCellContextMenu?: (event: MouseEvent) => void;
  onPaste?: (event: ClipboardEvent) => void;
  onKeyDown: (event: KeyboardEvent, rowsOnScreen: number) => void;
  onShow: (first: number, last: number) => void;
  dim?: boolean;
  scrollKey: unknown;
  ref?: Ref<HTMLDivElement>;
}

type Sized = Pick<TableColumn<never>, 'key' | 'width' | 'grow' | 'sticky'>;

/** Max width in pixels of a growing column while other columns in view need the space. */
const maxGrown = 480;

const leastSticky = 96;

const sumOf = (columns: readonly Sized[], widths: ColumnWidths): number =>
  columns.reduce((sum, { key, width }) => sum + (widths[key] ?? width), 0);

/**
 * The layout of the columns. The growing column takes the space that the columns in view leave, then the space that all
 * columns leave.
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
    scrollPadding: `var(--space-8) 0 0 ${sumOf(stickyColumns(columns), widths)}px`,
    ['--columns' as string]: template.join(' '),
    ['--table-width' as string]: grown === undefined ? least : `calc(${least} + ${grown})`,
  };
}

/** A sticky column must not be wider than a narrow table allows, because its end could not be scrolled into view. */
function leastOf(growing: Sized, others: readonly Sized[], widths: ColumnWidths): string {
  if (!growing.sticky) return `${growing.width}px`;
  const beside = sumOf(stickyColumns(others), widths);
  return `min(${growing.width}px, max(${leastSticky}px, 100cqi - ${beside}px))`;
}

const figureWidth = 8.5;
const narrowWidth = 4;
const arrowWidth = 12;
const padding = 16;

/** The width in pixels at which every text is shown in full. */
export function widthOfTexts(texts: readonly string[], least: number): number {
  return Math.ceil(Math.max(least, ...texts.map((text) => widthOfText(text) + padding)));
}

function widthOfText(text: string): number {
  const narrow = text.match(/[.,: ]/gu)?.length ?? 0;
  const arrows = text.match(/→/gu)?.length ?? 0;
  return (text.length - narrow - arrows) * figureWidth + narrow * narrowWidth + arrows * arrowWidth;
}

export interface StickyOffsets {
  left: ReadonlyMap<string, string>;
  last: string | null;
}

/** The custom properties with the offsets of sticky columns. {@link tableStyle} sets them. */
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
