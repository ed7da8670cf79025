import type { HourState, RunningDay } from '#shared/campaign/index.ts';
import { fullDateText, weekdayText } from '#shared/lib/date-text.ts';
import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from './running-days.module.css';

export interface RunningDaysProps {
  title: string;
  days: readonly RunningDay[];
}

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);

export function RunningDays({ title, days }: RunningDaysProps): ReactElement {
  return (
    <table className={styles.days} aria-label={title}>
      <thead>
        <tr>
          <th scope="col" className={styles.date}>
            {title}
          </th>
          <th scope="col" className={styles.scale} aria-label="Hours">
            {[0, 6, 12, 18].map((hour) => (
              <span key={hour}>{String(hour).padStart(2, '0')}</span>
            ))}
          </th>
          <th scope="col" className={styles.sum}>
            Hours
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date}>
            <th scope="row" className={styles.date}>
              {weekdayText(day.date)} {fullDateText(day.date).slice(0, -5)}
            </th>
            <td className={styles.hours} aria-label={hoursInWords(day.hours)}>
              <span className={styles.bar} aria-hidden>
                {hoursOfDay.map((hour) => (
                  <span
                    key={hour}
                    className={cx(styles.hour, styles[day.hours[hour] ?? 'none'])}
                    title={`${String(hour).padStart(2, '0')}:00`}
                  />
                ))}
              </span>
              {day.clockChange !== null && (
                <span className={styles.change}>
                  {day.clockChange.kind === 'skips' ? 'Clock skips' : 'Clock repeats'}{' '}
                  {String(day.clockChange.hour).padStart(2, '0')}:00
                </span>
              )}
            </td>
            <td className={styles.sum}>{sumOf(day)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An hour that comes twice counts twice. */
function sumOf({ hours, clockChange }: RunningDay): string {
  const shares = hours.map((state) => (state === 'on' ? 1 : state === 'half' ? 0.5 : 0));
  const repeated = clockChange?.kind === 'repeats' ? (shares[clockChange.hour] ?? 0) : 0;
  return `${shares.reduce<number>((sum, share) => sum + share, 0) + repeated}`;
}

/** `08:00–20:00`, or `none`. */
function hoursInWords(hours: readonly HourState[]): string {
  const spans: string[] = [];
  let from: number | null = null;
  for (let hour = 0; hour <= hours.length; hour += 1) {
    const isOn = hours[hour] === 'on' || hours[hour] === 'half';
    if (isOn) from ??= hour;
    else if (from !== null) {
      spans.push(`${String(from).padStart(2, '0')}:00–${String(hour).padStart(2, '0')}:00`);
      from = null;
    }
  }
  return spans.length === 0 ? 'none' : spans.join(', ');
}
