import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import styles from './virtual-table.module.css';

export interface VirtualListProps<Item> {
  label: string;
  /** With holes for those that were not read yet. */
  items: readonly (Item | undefined)[];
  /** Stable across reads, so that measured heights stay with their item. */
  keyOf: (item: Item) => string | number;
  /** Height of a closed item in pixels; opened items are measured. */
  estimatedHeight: number;
  render: (item: Item, index: number) => ReactNode;
  /** What stands for an item that was not read yet. */
  placeholder?: ReactNode;
  /** True where no item can take the focus: the list takes it, so that keys scroll it. */
  isFocusable?: boolean;
  /** Called when the end comes near. */
  onEndNear?: () => void;
  /** Called with the first and the last item that are drawn. */
  onShow?: ((first: number, last: number) => void) | undefined;
  /** Stands after the last item. */
  end?: ReactNode;
}

/** A list of items of any height that renders no more than a screenful. */
export function VirtualList<Item>(props: VirtualListProps<Item>): ReactElement {
  const { label, items, keyOf, estimatedHeight, render, onEndNear, onShow, end } = props;
  const { placeholder, isFocusable = false } = props;
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
    if (last >= items.length - 20) onEndNear?.();
  }, [last, items, onEndNear]);
  const first = shown[0]?.index ?? 0;
  useEffect(() => onShow?.(first, last), [first, last, onShow]);

  return (
    <div
      className={styles.listScroller}
      ref={scroller}
      {...(isFocusable && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <div
        className={styles.sizer}
        role="list"
        aria-label={label}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ key, index, start }) => {
          const item = items[index];
          return (
            (item !== undefined || placeholder !== undefined) && (
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
                {item === undefined ? placeholder : render(item, index)}
              </div>
            )
          );
        })}
      </div>
      {end}
    </div>
  );
}
