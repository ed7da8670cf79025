import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import styles from './virtual-table.module.css';

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
    // Items may be other ones though they are as many: what was read joined those that were there.
    if (last >= items.length - 20) onEndNear();
  }, [last, items, onEndNear]);

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
