import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import { ForeignText } from '../display/values.tsx';
import styles from './profile-sign.module.css';

export interface ProfileSignProps {
  kind: 'demo' | 'live';
  name: string;
  framed?: boolean;
  oneLine?: boolean;
}

/** The sign of a profile. The colour seal always means Live, teal always means Demo. */
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

/** The sign of training. The colour violet always means Training. */
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
