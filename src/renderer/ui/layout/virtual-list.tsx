import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import styles from './virtual-table.module.css';
import { cx } from '../cx.ts';

interface VirtualListProps<Item> {
  label: string;
  items: readonly (Item | undefined)[];
  /** Must be stable, so that measured heights stay with their items. */
  keyOf: (item: Item) => string | number;
  /** Height of a closed item in pixels. Opened items need no estimate, because they are measured. */
  estimatedHeight: number;
  render: (item: Item, index: number) => ReactNode;
  placeholder?: ReactNode;
  /** True if no item can take the focus. The list then takes it, so that keys can scroll. */
  isFocusable?: boolean;
  onEndNear?: () => void;
  onShow?: ((first: number, last: number) => void) | undefined;
  end?: ReactNode;
}

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
    // `items` is a dependency, because new items may replace old ones without changing their number.
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

export const maxDrawn = 100;

type LongListProps<Item> = Pick<
  VirtualListProps<Item>,
  'label' | 'items' | 'keyOf' | 'estimatedHeight' | 'render' | 'placeholder' | 'onShow'
> & {
  itemClass?: ((item: Item) => string | undefined) | undefined;
};

export function LongList<Item>(props: LongListProps<Item>): ReactElement {
  const { itemClass, render, ...list } = props;
  if (list.items.length > maxDrawn) {
    return (
      <div className={styles.longList}>
        <VirtualList
          {...list}
          isFocusable
          render={(item, index) => <div className={itemClass?.(item)}>{render(item, index)}</div>}
        />
      </div>
    );
  }
  return (
    <ul aria-label={list.label}>
      {list.items.map(
        (item, index) =>
          item !== undefined && (
            // The index is the key, because several items may have equal keys. The list is never reordered.
            <li key={index} className={cx(itemClass?.(item))}>
              {render(item, index)}
            </li>
          ),
      )}
    </ul>
  );
}
