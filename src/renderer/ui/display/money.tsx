import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from './values.module.css';

export interface MoneyProps {
  /** Ready text, for example `$50.00` or `Unlimited`. */
  text: string;
  unlimited?: boolean;
  /** For a table, where many rows say the same. */
  quiet?: boolean;
  /** The 28 px figure of money at risk. */
  figure?: boolean;
}

/** An amount of money. Unlimited is a word of its own weight, never a symbol. */
export function Money({ text, unlimited = false, quiet = false, figure = false }: MoneyProps): ReactElement {
  return (
    <span
      className={cx(
        styles.money,
        unlimited && styles.unlimited,
        quiet && styles.quiet,
        figure && styles.figure,
      )}
    >
      {text}
    </span>
  );
}
