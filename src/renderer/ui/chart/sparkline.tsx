import type { ReactElement } from 'react';
import styles from './chart.module.css';

export interface SparklineProps {
  /** Exact decimal texts by day; null for a day without a figure. */
  values: readonly (string | null)[];
  incomplete: boolean;
  width?: number;
  height?: number;
}

const inset = 3;

/** The course of a figure as a small line without axes. Decorative: the figure is beside it in words. */
export function Sparkline({ values, incomplete, width = 96, height = 24 }: SparklineProps): ReactElement {
  const points = pointsOf(values, width, height);
  const complete = incomplete ? points.slice(0, -1) : points;
  const last = points.at(-1);
  return (
    <svg className={styles.sparkline} width={width} height={height} aria-hidden="true">
      <path d={pathOf(complete)} />
      {incomplete && <path className={styles.growing} d={pathOf(points.slice(-2))} />}
      {last && (
        <circle
          cx={last.x}
          cy={last.y}
          r={incomplete ? 2.5 : 2}
          className={incomplete ? styles.hollow : styles.end}
        />
      )}
    </svg>
  );
}

interface Point {
  x: number;
  y: number;
}

/** Null where a day has no figure. The line spans from zero, so that its height means something. */
function pointsOf(values: readonly (string | null)[], width: number, height: number): (Point | null)[] {
  const numbers = values.map((value) => (value === null ? null : Number(value)));
  const found = numbers.filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...found), Math.max(0, ...found)];
  const span = high - low || 1;
  const step = (width - 2 * inset) / Math.max(1, values.length - 1);
  return numbers.map((value, at) =>
    value === null
      ? null
      : {
          x: round(values.length === 1 ? width / 2 : inset + at * step),
          y: round(height - inset - ((value - low) / span) * (height - 2 * inset)),
        },
  );
}

/** A gap begins a new line; a point of its own gets a dot's length. */
function pathOf(points: readonly (Point | null)[]): string {
  return points
    .map((point, at) => {
      if (point === null) return '';
      const isStart = (points[at - 1] ?? null) === null;
      const isAlone = isStart && (points[at + 1] ?? null) === null;
      return `${isStart ? 'M' : 'L'}${point.x} ${point.y}${isAlone ? 'h0.01' : ''}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
