import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './virtual-table.module.css';

/** New rows in one frame. More of them would make a task that is felt; a screenful is there after five frames. */
const rowsPerFrame = 6;

/** A placeholder for a row that was not read yet. */
const placeholder = Symbol('placeholder');

type Content = string | number | typeof placeholder;

/** The part of a row that is drawn: the row itself, its placeholder, or only its ground. */
export type Drawing = 'row' | 'placeholder' | 'ground';

export interface DrawnRowsOptions {
  first: number;
  last: number;
  /** The identity of a row's content; undefined while it has not been read. */
  keyAt: (index: number) => string | number | undefined;
}

/**
 * Draws new rows a few at a time, so that a jump through a long list never holds the page for long. A row that was drawn
 * stays drawn when it is read again.
 */
export function useDrawnRows({ first, last, keyAt }: DrawnRowsOptions): (index: number) => Drawing {
  const contentAt = (index: number): Content => keyAt(index) ?? placeholder;
  const [drawn, setDrawn] = useState<ReadonlyMap<number, Content>>(new Map());

  useEffect(() => {
    const missing: number[] = [];
    for (let index = first; index <= last; index += 1) {
      if (drawn.get(index) !== contentAt(index)) missing.push(index);
    }
    if (missing.length === 0) return;
    const frame = requestAnimationFrame(() => {
      const kept = [...drawn].filter(([index]) => index >= first && index <= last);
      const added = missing.slice(0, rowsPerFrame).map((index) => [index, contentAt(index)] as const);
      setDrawn(new Map([...kept, ...added]));
    });
    return () => cancelAnimationFrame(frame);
  });

  return (index) => {
    const shown = drawn.get(index);
    if (shown === placeholder) return 'placeholder';
    return shown !== undefined && shown === contentAt(index) ? 'row' : 'ground';
  };
}

export interface VirtualListProps<Item> {
  label: string;
  items: readonly Item[];
  /** Stable across reads, so that measured heights stay with their item. */
  keyOf: (item: Item) => string | number;
  /** Height of a closed item in pixels; opened items are measured. */
  estimatedHeight: number;
  render: (item: Item, index: number) => ReactNode;
  /** Called when the end comes near. */
  onEndNear: () => void;
  /** Stands after the last item. */
  end?: ReactNode;
}

/** A list of items of any height that renders no more than a screenful. */
export function VirtualList<Item>(props: VirtualListProps<Item>): ReactElement {
  const { label, items, keyOf, estimatedHeight, render, onEndNear, end } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: 8,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 20) onEndNear();
  }, [last, items.length, onEndNear]);

  return (
    <div className={styles.listScroller} ref={scroller}>
      <div
        className={styles.sizer}
        role="list"
        aria-label={label}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ key, index, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={items.length}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                {render(item, index)}
              </div>
            )
          );
        })}
      </div>
      {end}
    </div>
  );
}
