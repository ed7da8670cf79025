import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notices.module.css';

export interface EmptyStateProps {
  icon: IconName;
  title: string;
  /** What this place is. */
  children: ReactNode;
  /** The one thing to do. */
  action?: ReactNode;
}

/** A page or panel that has nothing to show: what it is and the one thing to do. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactElement {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} size={20} />
      </span>
      <h2 className={styles.emptyTitle}>{title}</h2>
      <p className={styles.text}>{children}</p>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
