import type { ChangeView } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import { DiffMembers } from './diff-members.tsx';
import { Icon } from './icon.tsx';
import { LongText } from './long-text.tsx';
import { ScheduleGrid } from './schedule-grid.tsx';
import styles from './diff.module.css';

/** One changed field: Δ for a changed value, + and − for what was added to or removed from a list. Values wrap and are never cut. */
export function DiffLine({ change }: { change: ChangeView }): ReactElement {
  const listed = change.added.length + change.removed.length > 0;
  return (
    <div className={styles.line} role="group" aria-label={`${change.label} changes`}>
      <span className={styles.sign} aria-hidden>
        Δ
      </span>
      <span className={styles.label}>{change.label}</span>
      <span className={styles.values}>
        <span className={styles.before}>
          <LongText text={change.before} />
        </span>
        <span className={styles.arrow} role="img" aria-label="becomes">
          <Icon name="arrow-right" size={14} />
        </span>
        <span className={styles.after}>
          <LongText text={change.after} />
        </span>
      </span>
      <span className={styles.delta}>
        {[change.delta, change.factor].filter((part) => part !== null).join('  ')}
      </span>
      {listed && <DiffMembers added={change.added} removed={change.removed} />}
      {change.schedule && (
        <div className={styles.schedule}>
          <ScheduleGrid before={change.schedule.before} hours={change.schedule.after} />
        </div>
      )}
    </div>
  );
}
