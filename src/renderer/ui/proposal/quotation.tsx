import type { ReactElement } from 'react';
import { ForeignText } from '../display/foreign-text.tsx';
import styles from './quotation.module.css';

/** Somebody's own words about a change: marked as theirs, never as ours. */
export function Quotation({ who, words }: { who: string; words: string }): ReactElement {
  return (
    <figure className={styles.quotation}>
      <figcaption>
        <ForeignText text={who} /> says, in its own words:
      </figcaption>
      <blockquote>
        <ForeignText text={words} />
      </blockquote>
    </figure>
  );
}
