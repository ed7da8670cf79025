import type { ReactElement, ReactNode } from 'react';
import { ForeignText, Icon, type IconName, type PillTone } from '#renderer/ui/index.ts';
import styles from '../page.module.css';

export interface OutcomeHeadProps {
  icon: IconName;
  tone: PillTone;
  /** What happened, one sentence; it may hold a message of the service. */
  sentence: string;
  children: ReactNode;
}

/** What came of it: a sign, one sentence, and what follows from it. */
export function OutcomeHead({ icon, tone, sentence, children }: OutcomeHeadProps): ReactElement {
  return (
    <header className={styles.head}>
      <Icon name={icon} size={28} tone={tone} />
      <div className={styles.words}>
        <h1 className={styles.sentence}>
          <ForeignText text={sentence} />
        </h1>
        {children}
      </div>
    </header>
  );
}
