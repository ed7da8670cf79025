import { createContext, useContext, useState, type ReactElement, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './overlay.module.css';

const Corner = createContext<HTMLElement | null>(null);

/** Holds the corner of the window where short messages stand above each other, whatever part of the window they are of. */
export function ToastCorner({ children }: { children: ReactNode }): ReactElement {
  const [corner, setCorner] = useState<HTMLElement | null>(null);
  return (
    <Corner value={corner}>
      {children}
      <div ref={setCorner} className={styles.region} role="region" aria-label="Messages" />
    </Corner>
  );
}

/** Puts messages into the corner until they are dismissed. Nothing is ever approved from here. */
export function ToastRegion({ children }: { children: ReactNode }): ReactElement | null {
  const corner = useContext(Corner);
  return corner && createPortal(children, corner);
}

/** One message; wraps a banner to lift it off the page. */
export function Toast({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.toast}>{children}</div>;
}
