import { useEffect, useRef, type ReactElement } from 'react';
import { Button } from '#renderer/ui/index.ts';
import styles from './close-foot.module.css';

/** The last line of a page that has nothing left to ask. */
export function CloseFoot(): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <footer className={styles.foot}>
      <span>You can close this window.</span>
      <Button ref={button} size="large" onClick={() => window.close()}>
        Close window
      </Button>
    </footer>
  );
}
