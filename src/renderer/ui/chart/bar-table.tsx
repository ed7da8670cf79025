import type { ReactElement, ReactNode } from 'react';
import styles from './chart.module.css';

export interface BarTableProps {
  /** Captions the table for screen readers: `Changes by proposer`. */
  label: string;
  /** Heading of the names. */
  heading: string;
  /** Headings of the figures. The first figure is drawn as a bar. */
  columns: readonly string[];
  rows: readonly { key: string; name: ReactNode; size: number; figures: readonly string[] }[];
}

/** Names with their figures, and the first of these as a bar behind the name. */
export function BarTable({ label, heading, columns, rows }: BarTableProps): ReactElement {
  const scale = Math.max(...rows.map(({ size }) => size), 1);
  return (
    <table className={styles.barTable}>
      <caption className={styles.unseen}>{label}</caption>
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
