import { inertText } from '#shared/lib/inert-text.ts';
import { dayLabel, differenceOf, formatValue } from '#shared/reports/index.ts';
import { memo, type ReactElement } from 'react';
import { cx } from '../../cx.ts';
import { ForeignText } from '../../display/values.tsx';
import type { ChartData, ChartLine } from './chart-data.ts';
import { Swatch } from './legend.tsx';
import type { ChartMarker } from './markers.tsx';
import styles from './time-chart.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { useFormats } from '../../formats.ts';
import common from '../../styles/common.module.css';

export interface ReadoutProps {
  data: ChartData;
  at: number;
  markers: readonly ChartMarker[];
  hint: string | null;
  side: 'left' | 'right';
  x: number;
}

/** Only visual: the slider speaks the same text. */
export function Readout({ data, at, markers, hint, side, x }: ReadoutProps): ReactElement {
  const formats = useFormats();
  const comparedDate = data.comparedDates[at];
  const style = side === 'right' ? { left: x + 12 } : { left: x - 12, translate: '-100% 0' };
  return (
    <div className={styles.readout} style={style} aria-hidden="true">
      <p className={common.medium}>{dayLabel(data.dates[at] ?? '')}</p>
      {at === data.incomplete && <p className={common.soft}>Incomplete: the day has not ended</p>}
      <dl>
        {data.lines.map((line, index) => (
          <ReadoutLine key={line.column.id} line={line} index={index} at={at} />
        ))}
      </dl>
      {comparedDate !== undefined && <p className={common.soft}>Compared with {dayLabel(comparedDate)}</p>}
      {markers.length > 0 && (
        <ul className={styles.changes}>
          {markers.slice(0, 3).map(({ id, label }) => (
            <li key={id}>
              <ForeignText text={label} />
            </li>
          ))}
          {markers.length > 3 && <li>{formats.counted(markers.length - 3, 'more change')}</li>}
        </ul>
      )}
      {hint !== null && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}

function ReadoutLine({ line, index, at }: { line: ChartLine; index: number; at: number }): ReactElement {
  const formats = useFormats();
  const { column, texts, compared } = line;
  const now = texts[at] ?? null;
  const before = compared?.texts[at] ?? null;
  const difference = differenceOf(column, now, before, formats);
  return (
    <>
      <dt>
        <Swatch index={index} kind="line" />
        <ForeignText text={line.label} />
      </dt>
      <dd className={styles.value}>{formatValue(column, now, formats)}</dd>
      {compared !== null && (
        <>
          <dt className={styles.before}>
            <Swatch index={index} kind="compared" />
            {difference?.sentence ?? 'Nothing to compare'}
          </dt>
          <dd className={cx(styles.value, styles.before)}>{formatValue(column, before, formats)}</dd>
        </>
      )}
    </>
  );
}

export function readoutText(
  data: ChartData,
  at: number,
  markers: readonly ChartMarker[],
  formats: Formats,
): string {
  const comparedDate = data.comparedDates[at];
  const figures = data.lines.map(({ column, label, texts, compared }) => {
    const now = texts[at] ?? null;
    const difference = differenceOf(column, now, compared?.texts[at] ?? null, formats);
    return `${label} ${now === null ? 'not available' : formatValue(column, now, formats)}${difference ? `, ${lowerFirst(difference.sentence)}` : ''}`;
  });
  const sentences = [
    `${dayLabel(data.dates[at] ?? '')}${at === data.incomplete ? ', incomplete' : ''}: ${figures.join('; ')}`,
    ...(comparedDate === undefined ? [] : [`Compared with ${dayLabel(comparedDate)}`]),
    ...(markers.length === 0 ? [] : [`${formats.counted(markers.length, 'change')}, Enter opens`]),
  ];
  return inertText(sentences.join('. '));
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

interface FiguresTableProps {
  caption: string;
  data: ChartData;
}

export const FiguresTable = memo(function FiguresTable({ caption, data }: FiguresTableProps): ReactElement {
  const formats = useFormats();
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
                {at === data.incomplete && <span> (incomplete)</span>}
              </th>
              {data.lines.map(({ column, texts }) => (
                <td key={column.id}>{formatValue(column, texts[at] ?? null, formats)}</td>
              ))}
              {isCompared && <td>{dayLabel(data.comparedDates[at] ?? '')}</td>}
              {isCompared &&
                data.lines.map(({ column, compared }) => (
                  <td key={column.id}>{formatValue(column, compared?.texts[at] ?? null, formats)}</td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
