import type { ReactElement, ReactNode } from 'react';
import type { FieldConflict, Warning } from '#shared/wording/index.ts';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import { ForeignText, LongText } from '../display/values.tsx';
import styles from './verdicts.module.css';

const looks: Record<Warning['severity'], { icon: IconName; word: string }> = {
  danger: { icon: 'alert-circle', word: 'Danger' },
  warning: { icon: 'warning', word: 'Warning' },
  notice: { icon: 'info', word: 'Note' },
};

const order: readonly Warning['severity'][] = ['danger', 'warning', 'notice'];

export type WarningLine = Pick<Warning, 'severity' | 'text'>;

export function WarningLines(props: { warnings: readonly WarningLine[]; label: string }): ReactElement {
  const { warnings, label } = props;
  return (
    <ul className={styles.warningList} aria-label={label}>
      {worstFirst(warnings).map(({ severity, text }) => (
        <li key={`${severity} ${text}`} className={styles[severity]}>
          <span className={styles.warningIcon}>
            <Icon name={looks[severity].icon} />
          </span>
          <span>
            <span className={styles.warningWord}>{looks[severity].word}</span> <ForeignText text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function worstFirst(warnings: readonly WarningLine[]): WarningLine[] {
  return order.flatMap((severity) => warnings.filter((warning) => warning.severity === severity));
}

export function WarningList(props: {
  warnings: readonly WarningLine[];
  children?: ReactNode;
}): ReactElement | null {
  const { warnings, children = null } = props;
  if (warnings.length === 0 && children === null) return null;
  return (
    <div className={cx(styles.frame, styles[worstFirst(warnings)[0]?.severity ?? 'notice'])}>
      <WarningLines warnings={warnings} label="Warnings" />
      {children}
    </div>
  );
}

export function ConflictTable({ conflicts }: { conflicts: readonly FieldConflict[] }): ReactElement {
  const isOnBothSides = conflicts.some(({ base, mine }) => mine !== base);
  return (
    <table
      className={styles.table}
      aria-label={isOnBothSides ? 'Fields changed on both sides' : 'Fields changed meanwhile'}
    >
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Was</th>
          {isOnBothSides && <th scope="col">Mine</th>}
          <th scope="col">{isOnBothSides ? 'Theirs, stored now' : 'Stored now'}</th>
        </tr>
      </thead>
      <tbody>
        {conflicts.map((conflict) => (
          <tr key={conflict.field}>
            <th scope="row">{conflict.label}</th>
            <td>
              <LongText text={conflict.base} />
            </td>
            {isOnBothSides && (
              <td className={styles.mine}>
                <LongText text={conflict.mine} />
              </td>
            )}
            <td className={styles.theirs}>
              <LongText text={conflict.theirs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
