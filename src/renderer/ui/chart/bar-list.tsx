import {
  differenceOf,
  formatValue,
  shareText,
  subtractDecimals,
  valueLabel,
  type NamedColumn,
} from '#shared/reports/index.ts';
import { useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
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
  /** The figure of all values and how many there are: the rest is shown as others. Null for ratios, which have no parts. */
  total: { figure: string; compared: string | null; count: number } | null;
  picked: readonly (string | null)[];
  onPick: (value: string | null) => void;
}

/** The largest values of a dimension as bars in words and figures. A press filters by one; arrows go from bar to bar. */
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

/** The rest of the total that no bar shows; null if there is none or it is unknown. */
export function othersOf(
  bars: readonly Bar[],
  total: BarListProps['total'],
): (Bar & { count: number }) | null {
  if (total === null || total.count <= bars.length) return null;
  const rest = (whole: string, parts: (string | null)[]): string =>
    subtractDecimals(
      whole,
      parts.filter((part) => part !== null),
    );
  return {
    value: null,
    count: total.count - bars.length,
    figure: rest(
      total.figure,
      bars.map(({ figure }) => figure),
    ),
    compared:
      total.compared === null
        ? null
        : rest(
            total.compared,
            bars.map(({ compared }) => compared),
          ),
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

/** Names with their figures, and the first of these as a bar behind the name. */
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
