import {
  type NamedColumn,
  differenceOf,
  formatValue,
  shareText,
  subtractDecimals,
  valueLabel,
} from '#shared/reports/index.ts';
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { cx } from '../cx.ts';
import { ForeignText } from '../display/values.tsx';
import styles from './chart.module.css';
import { useFormats } from '../formats.ts';

export interface Bar {
  value: string | null;
  figure: string | null;
  compared: string | null;
}

export interface BarListProps {
  label: string;
  dimension: string;
  column: NamedColumn;
  bars: readonly Bar[];
  /** The total and the number of values. Null for ratios, which cannot be split into parts. */
  total: { figure: string; compared: string | null; count: number } | null;
  picked: readonly (string | null)[];
  onPick: (value: string | null) => void;
}

export function BarList(props: BarListProps): ReactElement {
  const formats = useFormats();
  const { label, dimension, column, bars, total, picked, onPick } = props;
  const list = useRef<HTMLOListElement>(null);
  const [tabStop, setTabStop] = useState(0);
  const others = othersOf(bars, total);
  const sizes = [...bars.map(sizeOf), ...(others === null ? [] : [sizeOf(others)])];
  const scale = Math.max(...sizes, 0) || 1;
  const rowOf = (bar: Bar): Omit<BarRowProps, 'name'> => ({ bar, column, total, scale });

  function move(event: KeyboardEvent<HTMLOListElement>): void {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    buttons[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <ol ref={list} className={styles.list} aria-label={label} onKeyDown={move}>
      {bars.map((bar, at) => (
        <li key={bar.value ?? '\u0000'}>
          <button
            type="button"
            className={cx(styles.row, styles.button)}
            tabIndex={at === Math.min(tabStop, bars.length - 1) ? 0 : -1}
            aria-pressed={picked.includes(bar.value)}
            onFocus={() => setTabStop(at)}
            onClick={() => onPick(bar.value)}
          >
            <BarRow name={<ForeignText text={valueLabel(dimension, bar.value)} />} {...rowOf(bar)} />
          </button>
        </li>
      ))}
      {others !== null && (
        <li className={cx(styles.row, styles.others)}>
          <BarRow name={formats.counted(others.count, 'other')} {...rowOf(others)} />
        </li>
      )}
    </ol>
  );
}

interface BarRowProps {
  name: ReactElement | string;
  bar: Bar;
  column: NamedColumn;
  total: BarListProps['total'];
  scale: number;
}

function BarRow({ name, bar, column, total, scale }: BarRowProps): ReactElement {
  const formats = useFormats();
  const share = shareText(bar.figure, total?.figure ?? null, formats);
  const difference = differenceOf(column, bar.figure, bar.compared, formats);
  return (
    <>
      <span className={styles.bar} style={{ width: `${(sizeOf(bar) / scale) * 100}%` }} />
      <span className={styles.name}>{name}</span>
      {difference !== null && (
        <span className={styles.difference} title={difference.sentence}>
          {difference.ratio ?? difference.absolute}
        </span>
      )}
      <span className={styles.barFigure}>{formatValue(column, bar.figure, formats)}</span>
      {total !== null && (
        <span className={styles.share}>
          {share}
          {share !== null && <span className={styles.unseenLine}> of total</span>}
        </span>
      )}
    </>
  );
}

/** The remainder that the bars do not show. Null if there is none or it is unknown. */
export function othersOf(
  bars: readonly Bar[],
  total: BarListProps['total'],
): (Bar & { count: number }) | null {
  if (total === null || total.count <= bars.length) return null;
  const rest = (side: 'figure' | 'compared'): string | null =>
    total[side] &&
    subtractDecimals(
      total[side],
      bars.map((bar) => bar[side]).filter((part) => part !== null),
    );
  return {
    value: null,
    count: total.count - bars.length,
    figure: rest('figure'),
    compared: rest('compared'),
  };
}

function sizeOf({ figure }: Bar): number {
  return Math.max(0, Number(figure ?? 0));
}

interface BarTableProps {
  label: string;
  heading: string;
  columns: readonly string[];
  rows: readonly { key: string; name: ReactNode; size: number; figures: readonly string[] }[];
}

export function BarTable({ label, heading, columns, rows }: BarTableProps): ReactElement {
  const scale = Math.max(...rows.map(({ size }) => size), 1);
  return (
    <table className={styles.barTable}>
      <caption className={styles.unseenLine}>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={styles.barFigure}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, size, figures }) => (
          <tr key={key}>
            <th scope="row" className={styles.barName}>
              {size > 0 && <span className={styles.bar} style={{ width: `${(size / scale) * 100}%` }} />}
              <span className={styles.name}>{name}</span>
            </th>
            {figures.map((figure, at) => (
              <td key={columns[at]} className={styles.barFigure}>
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface SparklineProps {
  /** Exact decimal texts by day. */
  values: readonly (string | null)[];
  incomplete: boolean;
}

const width = 96;
const height = 24;
const inset = 3;

/** Hidden from assistive technology, because the figure is written next to it. */
export function Sparkline({ values, incomplete }: SparklineProps): ReactElement {
  const points = pointsOf(values);
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

/** The scale begins at zero, so that heights can be compared. */
function pointsOf(values: readonly (string | null)[]): (Point | null)[] {
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

/** A gap starts a new line. A single point is a dot, because a line of one point would be invisible. */
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
