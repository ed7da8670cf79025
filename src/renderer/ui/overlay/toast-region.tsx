import type { ReactElement, ReactNode } from 'react';
import styles from './toast.module.css';

/** The corner where short messages stand until they are dismissed. Nothing is ever approved from here. */
export function ToastRegion({ children }: { children: ReactNode }): ReactElement {
  return (
    <div className={styles.region} role="region" aria-label="Messages">
      {children}
    </div>
  );
}

/** One message; wraps a banner to lift it off the page. */
export function Toast({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.toast}>{children}</div>;
}
