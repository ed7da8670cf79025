import type { ReportHead } from '#renderer/stores/reports/index.ts';
import type { ReactElement } from 'react';
import styles from './sparkline.module.css';

const size = { width: 100, height: 20 } as const;
const inset = 2;

interface Point {
  x: number;
  y: number;
}

/** Stretches of days that have a value, as points of the drawing. */
function stretches(values: readonly (number | null)[]): Point[][] {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(0, ...known), Math.max(...known)];
  const span = most - least || 1;
  const parts: Point[][] = [[]];
  values.forEach((value, at) => {
    if (value === null) return void parts.push([]);
    const x = values.length === 1 ? size.width / 2 : (at / (values.length - 1)) * size.width;
    const y = size.height - inset - ((value - least) / span) * (size.height - 2 * inset);
    parts.at(-1)?.push({ x, y });
  });
  return parts.filter((part) => part.length > 0);
}

const path = (points: readonly Point[]): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** A column day by day as a small line. An incomplete last day is dashed. The chart and the table have the figures. */
export function Sparkline(props: {
  days: ReportHead['days'];
  /** The place of the column in each day. */
  column: number;
  incompleteDay: string | null;
}): ReactElement | null {
  const { days, column, incompleteDay } = props;
  if (days.length < 2) return null;
  const values = days.map((day) => {
    const value = day.values[column] ?? null;
    return value === null ? null : Number(value);
  });
  const isOpen = days.at(-1)?.date === incompleteDay;
  const parts = stretches(values);
  const last = parts.at(-1);
  const tail = isOpen && last !== undefined && last.length > 1 ? last.slice(-2) : null;
  return (
    <svg
      aria-hidden
      className={styles.line}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
    >
      {parts.map((points, at) => {
        const drawn = points === last && tail ? points.slice(0, -1) : points;
        return <path key={at} d={path(drawn)} />;
      })}
      {tail && <path className={styles.open} d={path(tail)} />}
    </svg>
  );
}
