import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../display/icon.tsx';
import styles from './blocks.module.css';

export interface DisclosureProps {
  title: ReactNode;
  /** What is inside, in few words, at the right. */
  aside?: ReactNode;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** A part that opens and closes; native `details`, so the keyboard works. */
export function Disclosure({ title, aside, open, onToggle, children }: DisclosureProps): ReactElement {
  return (
    <details
      className={styles.disclosure}
      open={open}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" size={14} />
        <span className={styles.sectionTitle}>{title}</span>
        {aside !== undefined && <span className={styles.sectionAside}>{aside}</span>}
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
