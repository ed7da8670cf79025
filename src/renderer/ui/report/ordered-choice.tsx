import type { ReactElement } from 'react';
import { Checkbox } from '../controls/checkbox.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './report.module.css';

export interface OrderedItem {
  id: string;
  label: string;
  chosen: boolean;
  /** It cannot be left out. */
  fixed?: boolean;
}

export interface OrderedChoiceProps {
  /** What is chosen and put in order. */
  label: string;
  items: readonly OrderedItem[];
  /** Only chosen items have an order. */
  orderChosen?: boolean;
  onToggle: (id: string) => void;
  onMove: (id: string, step: 1 | -1) => void;
}

/** A list of things that are chosen and put in order, by buttons that the keyboard reaches. */
export function OrderedChoice(props: OrderedChoiceProps): ReactElement {
  const { label, items, orderChosen = false, onToggle, onMove } = props;
  const movable = items.filter(({ chosen }) => chosen || !orderChosen);
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => {
        const at = movable.indexOf(item);
        return (
          <li key={item.id} className={styles.item}>
            <Checkbox
              label={item.label}
              checked={item.chosen}
              disabled={item.fixed ?? false}
              onChange={() => onToggle(item.id)}
            />
            {at >= 0 && (
              <span className={styles.moves}>
                <IconButton
                  icon="arrow-up"
                  size="small"
                  label={`Move ${item.label} up`}
                  disabled={at === 0}
                  onClick={() => onMove(item.id, -1)}
                />
                <IconButton
                  icon="arrow-down"
                  size="small"
                  label={`Move ${item.label} down`}
                  disabled={at === movable.length - 1}
                  onClick={() => onMove(item.id, 1)}
                />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
