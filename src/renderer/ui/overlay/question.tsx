import type { ReactElement, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './overlay.module.css';

export interface QuestionProps {
  /** What is asked, one sentence. */
  title: string;
  /** What going on means. */
  children: ReactNode;
  /** The word of the way back, which has the focus and which Escape takes too. */
  stay: string;
  /** The word of going on; something is lost by it. */
  goOn: string;
  onStay: () => void;
  onGoOn: () => void;
}

/** Asks before something is lost. */
export function Question({ title, children, stay, goOn, onStay, onGoOn }: QuestionProps): ReactElement {
  return (
    <Dialog bare title={title} onClose={onStay}>
      <div className={styles.question}>
        <h2 className={styles.questionTitle}>{title}</h2>
        <div className={styles.questionText}>{children}</div>
        <div className={styles.actions}>
          <Button onClick={onStay}>{stay}</Button>
          <Button kind="danger" onClick={onGoOn}>
            {goOn}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
