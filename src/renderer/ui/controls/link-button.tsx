import type { ReactElement, ReactNode } from 'react';
import styles from './buttons.module.css';

/** A button that reads as part of a sentence. */
export function LinkButton(props: {
  children: ReactNode;
  label?: string;
  onClick: () => void;
}): ReactElement {
  return (
    <button type="button" className={styles.link} aria-label={props.label} onClick={props.onClick}>
      {props.children}
    </button>
  );
}
