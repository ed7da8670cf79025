import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from './diff.module.css';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);

export interface ScheduleGridProps {
  /** 168 values of 0 or 1, index = day × 24 + hour, Monday first. */
  hours: readonly number[];
  /** The week before; then only the changed hours are inked. */
  before?: readonly number[];
}

/** The weekly schedule, 7 days by 24 hours. The words under it carry the same meaning as the picture. */
export function ScheduleGrid({ hours, before }: ScheduleGridProps): ReactElement {
  const words = before ? changeWords(before, hours) : `${count(hours)} of 168 hours`;
  return (
    <div className={cx(styles.wrap, before && styles.comparing)}>
      <div className={styles.grid} role="img" aria-label={`Weekly schedule: ${words}`}>
        <span />
        {hoursOfDay.map((hour) => (
          <span key={hour} className={styles.hour}>
            {hour % 6 === 0 ? String(hour).padStart(2, '0') : ''}
          </span>
        ))}
        {days.map((day, row) => [
          <span key={day} className={styles.day}>
            {day}
          </span>,
          ...hoursOfDay.map((hour) => {
            const index = row * 24 + hour;
            return <span key={`${day}${hour}`} className={cellClass(hours[index] === 1, before?.[index])} />;
          }),
        ])}
      </div>
      <p className={styles.legend}>{words}</p>
    </div>
  );
}

function cellClass(on: boolean, before: number | undefined): string {
  if (before === undefined || (before === 1) === on) return cx(styles.cell, on && styles.on);
  return cx(styles.cell, on ? styles.gridAdded : styles.gridRemoved);
}

function count(hours: readonly number[]): number {
  return hours.filter((hour) => hour === 1).length;
}

function changeWords(before: readonly number[], after: readonly number[]): string {
  const added = after.filter((hour, index) => hour === 1 && before[index] !== 1).length;
  const removed = before.filter((hour, index) => hour === 1 && after[index] !== 1).length;
  const parts = [...(added > 0 ? [`+${added} h`] : []), ...(removed > 0 ? [`−${removed} h`] : [])];
  return `${parts.join(' / ')} (${count(before)} → ${count(after)} of 168 hours)`;
}
