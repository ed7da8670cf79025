import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import { ForeignText } from '../display/values.tsx';
import styles from './profile-sign.module.css';

export interface ProfileSignProps {
  kind: 'demo' | 'live';
  name: string;
  /** On its soft ground, for headers and for profiles other than the active one. */
  framed?: boolean;
  oneLine?: boolean;
}

/** The profile: a square in its colour, the word, the name. Seal is Live, teal is Demo, nothing else. */
export function ProfileSign({ kind, name, framed = false, oneLine = false }: ProfileSignProps): ReactElement {
  return (
    <span className={cx(styles.sign, styles[kind], framed && styles.framed, oneLine && styles.oneLine)}>
      <span className={styles.square} aria-hidden />
      <span className={styles.words}>
        {kind === 'live' ? 'LIVE' : 'Demo'} · <ForeignText text={name} />
      </span>
    </span>
  );
}

/** The sign of training, which has no profile: a square in its colour, its word, and what is under way. Violet is Training, nothing else. */
export function TrainingSign({ detail }: { detail?: string | undefined }): ReactElement {
  return (
    <span className={cx(styles.sign, styles.training, styles.framed, styles.oneLine)}>
      <span className={styles.square} aria-hidden />
      <span className={styles.words}>
        Training
        {detail !== undefined && (
          <>
            <span> · </span>
            <ForeignText text={detail} />
          </>
        )}
      </span>
    </span>
  );
}
