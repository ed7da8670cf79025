import { addDays, dayLabel, isWeekend } from '#shared/reports/index.ts';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { cx } from '../cx.ts';
import { IconButton } from '../controls/buttons.tsx';
import styles from './report.module.css';
import common from '../styles/common.module.css';
import { isDate } from '#shared/lib/date-text.ts';
import { TextField, type TextFieldProps } from '../controls/fields.tsx';
import { PanelButton } from './choices.tsx';

interface MonthGridProps {
  label: string;
  /** YYYY-MM-DD. Both are equal while only one end is chosen. */
  from: string;
  to: string;
  latest?: string;
  onChoose: (date: string) => void;
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const monthOf = (date: string): string => date.slice(0, 7);

function addMonths(date: string, months: number): string {
  const first = new Date(`${monthOf(date)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const start = first.toISOString().slice(0, 10);
  const same = addDays(start, Number(date.slice(8)) - 1);
  if (monthOf(same) === monthOf(start)) return same;
  first.setUTCMonth(first.getUTCMonth() + 1);
  return addDays(first.toISOString().slice(0, 10), -1);
}

/** Weeks begin on Monday. Days of other months are `null`. */
function weeksOf(month: string): (string | null)[][] {
  const start = `${month}-01`;
  const before = (new Date(`${start}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => {
      const date = addDays(start, week * 7 + day - before);
      return monthOf(date) === month ? date : null;
    }),
  ).filter((week) => week.some((date) => date !== null));
}

/** A calendar. Arrows move by days and weeks, Page Up and Page Down by months. Enter chooses. */
export function MonthGrid({
  label,
  from,
  to,
  latest = '9999-12-31',
  onChoose,
}: MonthGridProps): ReactElement {
  const [at, setAt] = useState(to);
  const byKey = useRef(false);
  const grid = useRef<HTMLTableElement>(null);
  useEffect(() => setAt(to), [to]);
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>(`[data-date="${at}"]`)?.focus();
    byKey.current = false;
  }, [at]);
  const go = (date: string): void => setAt(date > latest ? latest : date);

  function press(event: KeyboardEvent): void {
    const step = steps[event.key];
    byKey.current = true;
    if (step !== undefined) go(addDays(at, step));
    else if (event.key === 'PageUp' || event.key === 'PageDown')
      go(addMonths(at, event.key === 'PageUp' ? -1 : 1));
    else return void (byKey.current = false);
    event.preventDefault();
  }

  const month = monthOf(at);
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          icon="chevron-left"
          size="small"
          label="Previous month"
          onClick={() => go(addMonths(at, -1))}
        />
        <span className={common.strong} aria-live="polite">
          {monthName.format(Date.parse(`${month}-01`))}
        </span>
        <IconButton
          icon="chevron-right"
          size="small"
          label="Next month"
          disabled={month >= monthOf(latest)}
          onClick={() => go(addMonths(at, 1))}
        />
      </div>
      <table ref={grid} className={styles.grid} aria-label={label} onKeyDown={press}>
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" className={styles.weekday}>
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((date) => date !== null)}>
              {week.map((date, index) => (
                <td key={index} className={styles.cell}>
                  {date !== null && (
                    <button
                      type="button"
                      data-date={date}
                      className={cx(
                        styles.day,
                        isWeekend(date) && common.soft,
                        date >= from && date <= to && styles.inside,
                        (date === from || date === to) && styles.end,
                      )}
                      aria-label={dayLabel(date)}
                      aria-pressed={date >= from && date <= to}
                      tabIndex={date === at ? 0 : -1}
                      disabled={date > latest}
                      onClick={() => onChoose(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DateFieldProps extends Omit<TextFieldProps, 'action'> {
  /** The date, `YYYY-MM-DD`, at which the calendar opens if the text is no date. */
  today: string;
  /** Called with a day of the calendar. Defaults to `onChange`. */
  onChoose?: (date: string) => void;
}

/** A date field with a calendar. The owner parses the text and shows the resulting day as `limit`. */
export function DateField({ today, onChoose, ...field }: DateFieldProps): ReactElement {
  const { label, value, disabled, onChange } = field;
  const shown = isDate(value) ? value : today;
  const calendar = (
    <span className={styles.inField}>
      <PanelButton icon="calendar" kind="quiet" label="" name={`Choose ${label.toLowerCase()}`}>
        {(close) => (
          <MonthGrid
            label={label}
            from={shown}
            to={shown}
            onChoose={(date) => {
              close();
              (onChoose ?? onChange)(date);
            }}
          />
        )}
      </PanelButton>
    </span>
  );
  return <TextField {...field} action={disabled === true ? undefined : calendar} />;
}
