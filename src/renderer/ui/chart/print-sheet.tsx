import {
  columnLabel,
  differenceOf,
  dimensionLabel,
  formatValue,
  valueLabel,
  type FileRow,
  type FileShape,
} from '#shared/reports/index.ts';
import { useEffect, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { ForeignText } from '../display/values.tsx';
import { chartCanvas, type ChartPicture } from './picture.ts';
import styles from './chart.module.css';
import { useFormats } from '../formats.ts';

export interface PrintedReport {
  picture: Omit<ChartPicture, 'theme'>;
  shape: FileShape;
  rows: readonly FileRow[];
  rowCount: number;
  total: FileRow;
  totalLabel: string;
}

/** Replaces the page on paper. `content` is called when the browser prints. Null prints the page itself. */
export function PrintSheet({ content }: { content: () => PrintedReport | null }): ReactElement | null {
  const isPrinting = usePrinting();
  const printed = isPrinting ? content() : null;
  return printed && createPortal(<Sheet {...printed} />, document.body);
}

/** The sheet must be drawn before the event handler returns, because the browser prints then. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const print = window.matchMedia('print');
    const set = (on: boolean) => (): void => flushSync(() => setPrinting(on));
    const [begin, end] = [set(true), set(false)];
    const follow = (): void => (print.matches ? begin() : end());
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    print.addEventListener('change', follow);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
      print.removeEventListener('change', follow);
    };
  }, []);
  return isPrinting;
}

function Sheet({ picture, shape, rows, rowCount, total, totalLabel }: PrintedReport): ReactElement {
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const canvas = chartCanvas({ ...picture, theme: 'paper' }, formats);
    place.current?.append(canvas);
    return () => canvas.remove();
  }, [picture, formats]);
  return (
    <section className={styles.sheet} data-paper="">
      <div ref={place} className={styles.chart} role="img" aria-label={picture.title} />
      <table className={styles.table}>
        <thead>
          <tr>
            {shape.dimensions.map((dimension) => (
              <th key={dimension} scope="col">
                <ForeignText text={dimensionLabel(dimension)} />
              </th>
            ))}
            {shape.columns.map((column) => (
              <th key={column.id} scope="col" className={styles.sheetFigure}>
                <ForeignText text={columnLabel(column)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={JSON.stringify(row.path)} row={row} shape={shape} />
          ))}
          <Row row={total} shape={shape} label={totalLabel} />
        </tbody>
      </table>
      {rows.length < rowCount && (
        <p>
          The first {formats.counted(rows.length, 'row')} of {formats.count(rowCount)}. The total counts all.
        </p>
      )}
    </section>
  );
}

/** A value of an outer level is printed in its first row only. */
function Row({ row, shape, label }: { row: FileRow; shape: FileShape; label?: string }): ReactElement {
  const formats = useFormats();
  const own = row.path.length - 1;
  return (
    <tr className={label === undefined ? undefined : styles.total}>
      {shape.dimensions.map((dimension, level) => (
        <th key={dimension} scope="row">
          {label !== undefined && level === 0 && <span>{label}</span>}
          {label === undefined && level === own && (
            <ForeignText text={valueLabel(dimension, row.path[level] ?? null)} />
          )}
        </th>
      ))}
      {shape.columns.map((column, at) => {
        const value = row.values[at] ?? null;
        const difference = shape.compared
          ? differenceOf(column, value, row.compared?.[at] ?? null, formats)
          : null;
        return (
          <td key={column.id} className={styles.sheetFigure}>
            {formatValue(column, value, formats)}
            {difference !== null && <small>{difference.ratio ?? difference.absolute}</small>}
          </td>
        );
      })}
    </tr>
  );
}
