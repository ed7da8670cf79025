import type { Warning } from '#shared/campaign/index.ts';
import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { ForeignText } from '../display/foreign-text.tsx';
import { Icon, type IconName } from '../display/icon.tsx';
import styles from './verdicts.module.css';

const looks: Record<Warning['severity'], { icon: IconName; word: string }> = {
  danger: { icon: 'alert-circle', word: 'Danger' },
  warning: { icon: 'warning', word: 'Warning' },
  notice: { icon: 'info', word: 'Note' },
};

const order: readonly Warning['severity'][] = ['danger', 'warning', 'notice'];

/** What a person should weigh, worst first; each with a sign and a word besides its colour. `children` asks something of them. */
export function WarningList(props: {
  warnings: readonly Warning[];
  children?: ReactNode;
}): ReactElement | null {
  const { warnings, children = null } = props;
  if (warnings.length === 0 && children === null) return null;
  const worstFirst = order.flatMap((severity) => warnings.filter((warning) => warning.severity === severity));
  return (
    <div className={cx(styles.frame, styles[worstFirst[0]?.severity ?? 'notice'])}>
      <ul className={styles.warningList} aria-label="Warnings">
        {worstFirst.map((warning) => (
          <li key={`${warning.code} ${warning.text}`} className={styles[warning.severity]}>
            <span className={styles.warningIcon}>
              <Icon name={looks[warning.severity].icon} />
            </span>
            <span>
              <span className={styles.warningWord}>{looks[warning.severity].word}</span>{' '}
              <ForeignText text={warning.text} />
            </span>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
