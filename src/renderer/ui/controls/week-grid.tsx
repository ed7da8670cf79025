import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  useRef,
  useState,
  type ReactNode,
  useId,
} from 'react';
import { cx } from '../cx.ts';
import styles from './week-grid.module.css';
import { namedWeeks, type HourState, type RunningDay } from '#shared/campaign/index.ts';
import { Button } from './buttons.tsx';
import { fullDateText, weekdayText } from '#shared/lib/date-text.ts';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const hoursPerDay = 24;
const hoursOfDay = Array.from({ length: hoursPerDay }, (_, hour) => hour);

interface WeekGridProps {
  label: string;
  hours: readonly number[];
  before: readonly number[];
  disabled?: boolean;
  /** Called once per change, even if many hours were painted. */
  onChange: (hours: number[]) => void;
}

/** A cell. `−1` is the header of a row or a column. */
interface GridHour {
  day: number;
  hour: number;
}

interface Area {
  from: GridHour;
  to: GridHour;
}

/**
 * An editor for the hours of a week. The pointer paints a rectangle. Arrows move, Shift extends, Space switches. A
 * header switches its row or column, the corner switches all hours.
 */
export function WeekGrid({ label, hours, before, disabled = false, onChange }: WeekGridProps): ReactElement {
  const [at, setAt] = useState<GridHour>({ day: 0, hour: 0 });
  const [anchor, setAnchor] = useState<GridHour | null>(null);
  const [paint, setPaint] = useState<{ from: GridHour; to: GridHour; on: number } | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const shown = paint === null ? hours : painted(hours, paint, paint.on);
  const area: Area = { from: anchor ?? at, to: at };

  function go(place: GridHour, isExtending: boolean): void {
    const next = {
      day: Math.max(-1, Math.min(days.length - 1, place.day)),
      hour: Math.max(-1, Math.min(hoursPerDay - 1, place.hour)),
    };
    setAnchor(isExtending ? (anchor ?? at) : null);
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-at="${next.day} ${next.hour}"]`)?.focus();
  }

  function switchArea(of: Area): void {
    if (disabled) return;
    const isOn = indicesOf(of).every((index) => hours[index] === 1);
    onChange(painted(hours, of, isOn ? 0 : 1));
  }

  function press(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step !== undefined) go({ day: at.day + step.day, hour: at.hour + step.hour }, event.shiftKey);
    else if (event.key === 'Home') go({ ...at, hour: event.ctrlKey ? 0 : -1 }, event.shiftKey);
    else if (event.key === 'End') go({ ...at, hour: hoursPerDay - 1 }, event.shiftKey);
    else if (event.key === ' ' || event.key === 'Enter') switchArea(area);
    else if (event.key === 'Escape' && anchor !== null) setAnchor(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function down(event: PointerEvent): void {
    const place = placeOf(event.target);
    if (place === null || event.button !== 0) return;
    setAt(place);
    setAnchor(null);
    if (disabled) return;
    const isOn = indicesOf({ from: place, to: place }).every((index) => hours[index] === 1);
    setPaint({ from: place, to: place, on: isOn ? 0 : 1 });
    // Painting may end outside the grid.
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    if (paint === null) return;
    const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (place !== null) setPaint({ ...paint, to: place });
  }

  function up(): void {
    if (paint !== null) onChange(painted(hours, paint, paint.on));
    setPaint(null);
  }

  const focus = (day: number, hour: number): { 'data-at': string; tabIndex: number } => ({
    'data-at': `${day} ${hour}`,
    tabIndex: at.day === day && at.hour === hour ? 0 : -1,
  });
  const selected = new Set(anchor === null ? [] : indicesOf(area));
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-readonly={disabled}
      className={cx(styles.week, disabled && styles.readOnly)}
      onKeyDown={press}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onLostPointerCapture={up}
      onPointerCancel={() => setPaint(null)}
    >
      <div role="row" className={styles.line}>
        <span role="columnheader" className={styles.side} aria-label="All hours" {...focus(-1, -1)}>
          All
        </span>
        {hoursOfDay.map((hour) => (
          <span
            key={hour}
            role="columnheader"
            className={styles.top}
            aria-label={`Every day ${hourText(hour)}`}
            {...focus(-1, hour)}
          >
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </div>
      {days.map((name, day) => (
        <div key={name} role="row" className={styles.line}>
          <span role="rowheader" className={styles.side} aria-label={`All of ${name}`} {...focus(day, -1)}>
            {name.slice(0, 3)}
          </span>
          {hoursOfDay.map((hour) => {
            const index = day * hoursPerDay + hour;
            const isOn = shown[index] === 1;
            return (
              <span
                key={hour}
                role="gridcell"
                aria-selected={isOn}
                aria-label={`${name} ${hourText(hour)}, ${isOn ? 'on' : 'off'}`}
                className={cx(
                  styles.cell,
                  isOn && styles.on,
                  shown[index] !== before[index] && styles.changed,
                  selected.has(index) && styles.inArea,
                )}
                {...focus(day, hour)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

const steps: Partial<Record<string, GridHour>> = {
  ArrowLeft: { day: 0, hour: -1 },
  ArrowRight: { day: 0, hour: 1 },
  ArrowUp: { day: -1, hour: 0 },
  ArrowDown: { day: 1, hour: 0 },
};

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function placeOf(target: EventTarget | null): GridHour | null {
  const text = target instanceof Element ? target.closest('[data-at]')?.getAttribute('data-at') : null;
  if (text === null || text === undefined) return null;
  const [day = 0, hour = 0] = text.split(' ').map(Number);
  return { day, hour };
}

function indicesOf({ from, to }: Area): number[] {
  const [firstDay, lastDay] = rangeOf(from.day, to.day, days.length);
  const [firstHour, lastHour] = rangeOf(from.hour, to.hour, hoursPerDay);
  const indices: number[] = [];
  for (let day = firstDay; day <= lastDay; day += 1)
    for (let hour = firstHour; hour <= lastHour; hour += 1) indices.push(day * hoursPerDay + hour);
  return indices;
}

function rangeOf(one: number, other: number, count: number): [number, number] {
  return one < 0 || other < 0 ? [0, count - 1] : [Math.min(one, other), Math.max(one, other)];
}

function painted(hours: readonly number[], area: Area, value: number): number[] {
  const chosen = new Set(indicesOf(area));
  return hours.map((hour, index) => (chosen.has(index) ? value : hour));
}

interface WeekToolsProps {
  hours: readonly number[];
  disabled?: boolean;
  onChoose: (week: { name: string; hours: readonly number[] }) => void;
  onInvert: (hours: number[]) => void;
  children?: ReactNode;
}

export function WeekTools(props: WeekToolsProps): ReactElement {
  const { hours, disabled = false, onChoose, onInvert, children } = props;
  const titleId = useId();
  return (
    <div className={styles.wrapTight} role="toolbar" aria-labelledby={titleId}>
      <span id={titleId} className={styles.small}>
        Set the week
      </span>
      {namedWeeks.map((week) => (
        <Button key={week.name} size="small" disabled={disabled} onClick={() => onChoose(week)}>
          {week.name}
        </Button>
      ))}
      <Button size="small" disabled={disabled} onClick={() => onInvert(hours.map((hour) => 1 - hour))}>
        Invert
      </Button>
      {children}
    </div>
  );
}

export function RunningDays({ title, days }: { title: string; days: readonly RunningDay[] }): ReactElement {
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
                    title={hourText(hour)}
                  />
                ))}
              </span>
              {day.clockChange !== null && (
                <span className={styles.change}>
                  Clock {day.clockChange.kind} {hourText(day.clockChange.hour)}
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

function sumOf({ hours, clockChange }: RunningDay): string {
  const shares = hours.map((state) => (state === 'on' ? 1 : state === 'half' ? 0.5 : 0));
  const repeated = clockChange?.kind === 'repeats' ? (shares[clockChange.hour] ?? 0) : 0;
  return `${shares.reduce<number>((sum, share) => sum + share, 0) + repeated}`;
}

function hoursInWords(hours: readonly HourState[]): string {
  const spans: string[] = [];
  let from: number | null = null;
  for (let hour = 0; hour <= hours.length; hour += 1) {
    const isOn = hours[hour] === 'on' || hours[hour] === 'half';
    if (isOn) from ??= hour;
    else if (from !== null) {
      spans.push(`${hourText(from)}–${hourText(hour)}`);
      from = null;
    }
  }
  return spans.length === 0 ? 'none' : spans.join(', ');
}
