import type { CSSProperties } from 'react';
import type { TableColumn } from './virtual-table.tsx';

/** The grid of the columns as custom properties: the least width of the whole, and each column's share. */
export function tableStyle(columns: readonly Pick<TableColumn<never>, 'width' | 'grow'>[]): CSSProperties {
  const template = columns.map(({ width, grow }) => (grow ? `minmax(${width}px, 1fr)` : `${width}px`));
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  return { ['--columns' as string]: template.join(' '), ['--table-width' as string]: `${width}px` };
}

/** Where each sticky column stops, by key, and which of them is the last. */
export interface StickyOffsets {
  left: ReadonlyMap<string, number>;
  last: string | null;
}

/** Works out the left edge of every sticky column. */
export function stickyOffsets(
  columns: readonly Pick<TableColumn<never>, 'key' | 'width' | 'sticky'>[],
): StickyOffsets {
  const left = new Map<string, number>();
  let edge = 0;
  let last: string | null = null;
  for (const { key, width, sticky } of columns) {
    if (!sticky) break;
    left.set(key, edge);
    edge += width;
    last = key;
  }
  return { left, last };
}
