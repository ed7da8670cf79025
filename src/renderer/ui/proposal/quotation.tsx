import type { ReactElement } from 'react';
import { QuotedText } from '../display/quoted-text.tsx';
import styles from './request.module.css';

/** Somebody's own words about a change: marked as theirs, never as ours. */
export function Quotation({ who, words }: { who: string; words: string }): ReactElement {
  return (
    <figure className={styles.quotation}>
      <figcaption>
        <QuotedText text={who} /> says, in its own words:
      </figcaption>
      <blockquote>
        <QuotedText text={words} />
      </blockquote>
    </figure>
  );
}
