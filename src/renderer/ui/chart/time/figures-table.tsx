import { dayLabel, formatValue } from '#shared/reports/index.ts';
import { memo, type ReactElement } from 'react';
import { ForeignText } from '../../display/foreign-text.tsx';
import type { ChartData } from './chart-data.ts';
import styles from './time-chart.module.css';

export interface FiguresTableProps {
  caption: string;
  data: ChartData;
}

/** The figures of a chart as a table, for screen readers. */
export const FiguresTable = memo(function FiguresTable({ caption, data }: FiguresTableProps): ReactElement {
  const isCompared = data.comparedDates.length > 0;
  return (
    <div className={styles.unseen}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {data.lines.map(({ column, label }) => (
              <th key={column.id} scope="col">
                <ForeignText text={label} />
              </th>
            ))}
            {isCompared && <th scope="col">Compared day</th>}
            {isCompared &&
              data.lines.map(({ column, label }) => (
                <th key={column.id} scope="col">
                  <ForeignText text={label} /> (compared)
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {data.dates.map((date, at) => (
            <tr key={date}>
              <th scope="row">
                {dayLabel(date)}
                {at === data.incomplete && ' (incomplete)'}
              </th>
              {data.lines.map(({ column, texts }) => (
                <td key={column.id}>{formatValue(column, texts[at] ?? null)}</td>
              ))}
              {isCompared && <td>{dayLabel(data.comparedDates[at] ?? '')}</td>}
              {isCompared &&
                data.lines.map(({ column, compared }) => (
                  <td key={column.id}>{formatValue(column, compared?.texts[at] ?? null)}</td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
