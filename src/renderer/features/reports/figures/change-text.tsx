import { cx, Icon } from '#renderer/ui/index.ts';
import type { Difference, NamedColumn } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import styles from './figures.module.css';

/** Columns of which less is better. */
const betterWhenLess: ReadonlySet<string> = new Set(['gross_invalid']);

interface ChangeTextProps {
  column: Pick<NamedColumn, 'id' | 'kind'>;
  difference: Difference;
  /** The ratio alone where there is room for one, or both. */
  part: 'ratio' | 'both';
}

/** How a value changed: an arrow, its sign, and the sentence for those who hear it. */
export function ChangeText({ column, difference, part }: ChangeTextProps): ReactElement {
  const { direction, absolute, ratio, sentence } = difference;
  const isGood = (direction === 'up') !== betterWhenLess.has(column.id);
  const text = part === 'ratio' ? (ratio ?? absolute) : [absolute, ratio].filter(Boolean).join(' · ');
  return (
    <span
      className={cx(styles.changeTextChange, direction !== 'same' && (isGood ? styles.good : styles.bad))}
      title={sentence}
    >
      {direction !== 'same' && <Icon name={direction === 'up' ? 'arrow-up' : 'arrow-down'} size={12} />}
      <span aria-hidden>{text}</span>
      <span className={styles.spoken}>{sentence}</span>
    </span>
  );
}
