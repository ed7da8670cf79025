import { useEffect, useRef, type ReactElement } from 'react';
import { Button } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';
import styles from '../foot.module.css';

export interface CloseFootProps {
  /** How many more wait for a decision in this window. */
  waiting: number;
  onClose: () => void;
}

const waitingWords = (count: number): string =>
  `${counted(count, 'more change awaits your approval', 'more changes await your approval')}.`;

/** The last line of a page that has nothing left to ask. */
export function CloseFoot({ waiting, onClose }: CloseFootProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <footer className={styles.closeFoot}>
      <span>{waiting === 0 ? 'You can close this window.' : waitingWords(waiting)}</span>
      <Button ref={button} size="large" onClick={onClose}>
        {waiting === 0 ? 'Close window' : 'Next change'}
      </Button>
    </footer>
  );
}
