import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from './pills.module.css';

/** The weight of a state; never the only sign of it, the word stands beside. */
export type PillTone = 'neutral' | 'good' | 'waiting' | 'bad' | 'busy';

export interface PillProps {
  tone: PillTone;
  label: string;
  /** A ring instead of a disc, for states that rest. */
  hollow?: boolean;
  /** With a soft ground, for headers. */
  framed?: boolean;
}

/** A state as a dot and a word. */
export function Pill({ tone, label, hollow = false, framed = false }: PillProps): ReactElement {
  return (
    <span className={cx(styles.pill, styles[tone], hollow && styles.hollow, framed && styles.framed)}>
      {label}
    </span>
  );
}
