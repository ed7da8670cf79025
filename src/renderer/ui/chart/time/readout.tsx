import { inertText } from '#shared/lib/inert-text.ts';
import { dayLabel, differenceOf, formatValue, rangeText } from '#shared/reports/index.ts';
import { memo, type ReactElement } from 'react';
import { cx } from '../../cx.ts';
import { ForeignText } from '../../display/values.tsx';
import type { ChartData, ChartLine } from './chart-data.ts';
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

/** Hidden from assistive technology, because the slider speaks this text. */
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

export function Legend({ data, hasMarkers }: { data: ChartData; hasMarkers: boolean }): ReactElement {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {data.lines.map((line, index) => (
        <li key={line.column.id}>
          <Swatch index={index} kind="line" />
          <ForeignText text={line.label} />
          {data.ticks.length > 1 && (
            <span className={common.faint}>{line.axis === 0 ? 'left axis' : 'right axis'}</span>
          )}
        </li>
      ))}
      {data.comparedDates.length > 0 && (
        <li>
          {data.lines.map(({ column }, index) => (
            <Swatch key={column.id} index={index} kind="compared" />
          ))}
          <span>{comparedText(data)}</span>
        </li>
      )}
      {data.incomplete >= 0 && (
        <li>
          <Swatch index={0} kind="incomplete" />
          Incomplete day
        </li>
      )}
      {hasMarkers && (
        <li>
          <Swatch index={0} kind="marker" />
          Changes
        </li>
      )}
    </ul>
  );
}

/** For example `Compared: 18–31 Oct 2026`. */
export function comparedText({ comparedDates }: ChartData): string {
  const [first = '', last = first] = [comparedDates[0], comparedDates.at(-1)];
  return `Compared: ${rangeText({ from: first, to: last })}`;
}

export type SwatchKind = 'line' | 'compared' | 'incomplete' | 'marker';

const dashes = ['5 4', '1.5 3.5'];

function Swatch({ index, kind }: { index: number; kind: SwatchKind }): ReactElement {
  const middle = 6;
  if (kind === 'marker' || kind === 'incomplete') {
    return (
      <svg className={styles.swatch} width="20" height="12" aria-hidden="true">
        {kind === 'marker' ? (
          <path className={styles.diamond} d="M10 1.5 14.5 6 10 10.5 5.5 6Z" />
        ) : (
          <path className={styles.hatch} d="M0 12 12 0M6 12 18 0M12 12 20 4M0 6 6 0" />
        )}
      </svg>
    );
  }
  const isCompared = kind === 'compared';
  const color = `var(--chart-${index + 1}${isCompared ? '-compared' : ''})`;
  return (
    <svg
      className={styles.swatch}
      style={{ stroke: color, fill: color }}
      width="20"
      height="12"
      aria-hidden="true"
    >
      <line
        x1="0"
        x2="20"
        y1={middle}
        y2={middle}
        {...(isCompared ? { strokeDasharray: dashes[index] } : {})}
      />
      {!isCompared && index === 0 && <circle cx="10" cy={middle} r="3" />}
      {!isCompared && index === 1 && <rect x="7" y={middle - 3} width="6" height="6" />}
    </svg>
  );
}
