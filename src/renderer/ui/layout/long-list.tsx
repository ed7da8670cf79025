import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { VirtualList } from './virtual-list.tsx';
import styles from './virtual-table.module.css';

/** Above this number of items a list draws no more than a screenful, in a frame that scrolls. */
export const maxDrawn = 100;

export interface LongListProps<Item> {
  label: string;
  items: readonly (Item | undefined)[];
  keyOf: (item: Item) => string | number;
  /** Height of an item of one line, in pixels. */
  estimatedHeight: number;
  render: (item: Item, index: number) => ReactNode;
  className?: string | undefined;
  itemClass?: ((item: Item) => string | undefined) | undefined;
  /** What stands for an item that was not read yet. */
  placeholder?: ReactNode;
  /** Called with the first and the last item in view. */
  onShow?: (first: number, last: number) => void;
}

/** A list of any length, all of which can be looked through. */
export function LongList<Item>(props: LongListProps<Item>): ReactElement {
  const { label, items, keyOf, estimatedHeight, render, className, itemClass, placeholder, onShow } = props;
  if (items.length > maxDrawn) {
    return (
      <div className={styles.longList}>
        <VirtualList
          label={label}
          items={items}
          keyOf={keyOf}
          estimatedHeight={estimatedHeight}
          placeholder={placeholder}
          isFocusable
          onShow={onShow}
          render={(item, index) => <div className={itemClass?.(item)}>{render(item, index)}</div>}
        />
      </div>
    );
  }
  return (
    <ul className={className} aria-label={label}>
      {items.map(
        (item, index) =>
          item !== undefined && (
            // Several may name the same field; the list never reorders.
            <li key={index} className={cx(itemClass?.(item))}>
              {render(item, index)}
            </li>
          ),
      )}
    </ul>
  );
}
