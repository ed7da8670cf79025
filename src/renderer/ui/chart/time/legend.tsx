import { rangeText } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { ForeignText } from '../../display/values.tsx';
import type { ChartData } from './chart-data.ts';
import styles from './time-chart.module.css';
import common from '../../styles/common.module.css';

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

/** `Compared: 18–31 Oct 2026`. */
export function comparedText({ comparedDates }: ChartData): string {
  const [first = '', last = first] = [comparedDates[0], comparedDates.at(-1)];
  return `Compared: ${rangeText({ from: first, to: last })}`;
}

export type SwatchKind = 'line' | 'compared' | 'incomplete' | 'marker';

const dashes = ['5 4', '1.5 3.5'];
const lineClasses = [styles.line1, styles.line2];
const comparedClasses = [styles.compared1, styles.compared2];

export function Swatch({ index, kind }: { index: number; kind: SwatchKind }): ReactElement {
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
  return (
    <svg
      className={`${styles.swatch} ${isCompared ? comparedClasses[index] : lineClasses[index]}`}
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
