import { alertOn, canDrillInto, drillInto, reportsStore, showOnly, toggleCounted } from '../stores/stores.ts';
import { valueOf, valuesOf } from '../stores/report-query.ts';
import { pages, cx, ForeignText, Icon, IconButton, useFormats } from '#renderer/ui/index.ts';
import type { Mark, ReportColumn, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { countryName } from '#shared/campaign/index.ts';
import {
  type Difference,
  flagText,
  flagTitle,
  isWeekend,
  meaningOf,
  valueLabel,
} from '#shared/reports/index.ts';
import type { CSSProperties, MouseEvent, ReactElement } from 'react';
import { signLooks } from '../marks/mark-control.tsx';
import styles from './report-table.module.css';

const alone =
  (act: () => void) =>
  (event: MouseEvent): void => {
    event.stopPropagation();
    act();
  };

interface NameCellProps {
  row: ReportRow;
  query: ReportQuery;
  mark: Mark | null;
  incompleteDay: string | null;
  columns: readonly ReportColumn[];
}

export function NameCell({ row, query, mark, incompleteDay, columns }: NameCellProps): ReactElement {
  const value = valueOf(query, row.path);
  const values = valuesOf(query, row.path);
  const text = inertText(valueLabel(value.dimension, value.value));
  const whole = values.map((each) => inertText(valueLabel(each.dimension, each.value))).join(' › ');
  return (
    <span className={styles.name}>
      {query.levels.length > 1 && (
        <>
          <span className={styles.indent} style={{ '--level': row.path.length - 1 } as CSSProperties} />
          {row.expandable ? <Twisty row={row} text={text} /> : <span className={styles.twisty} />}
        </>
      )}
      <button
        type="button"
        tabIndex={-1}
        className={styles.value}
        title={`Show only ${whole}`}
        onClick={alone(() => showOnly(query, row))}
      >
        <Value dimension={value.dimension} value={value.value} />
      </button>
      <RowWords row={row} value={value} incompleteDay={incompleteDay} />
      <Flag row={row} columns={columns} />
      {mark !== null && <MarkSign mark={mark} />}
      <span className={styles.actions}>
        {canDrillInto(query, row) && (
          <IconButton
            icon="panel"
            size="small"
            tabIndex={-1}
            label={`Details of ${text}`}
            onClick={alone(() => drillInto(row))}
          />
        )}
        <IconButton
          icon={row.excluded ? 'plus' : 'exclude'}
          size="small"
          tabIndex={-1}
          label={row.excluded ? `Count ${whole} again` : `Exclude ${whole}`}
          onClick={alone(() => toggleCounted(query, row))}
        />
        <IconButton
          icon="alerts"
          size="small"
          tabIndex={-1}
          label={`Alert me about ${whole}…`}
          onClick={alone(() => alertOn(row.path, null))}
        />
      </span>
    </span>
  );
}

function Flag({ row, columns }: { row: ReportRow; columns: readonly ReportColumn[] }): ReactElement | null {
  const formats = useFormats();
  const [first] = row.unlike;
  if (first === undefined) return null;
  return (
    <span className={cx(styles.flag, styles[meaningOf(first)])} title={flagText(row, columns, formats)}>
      <Icon name="flag" size={12} />
      {flagTitle(first)}
    </span>
  );
}

function MarkSign({ mark }: { mark: Mark }): ReactElement {
  const { icon, label, tone } = signLooks[mark.sign];
  const note = mark.note === '' ? '' : `: ${inertText(mark.note)}`;
  return (
    <span className={styles.mark} title={`Marked ${label.toLowerCase()}${note}`}>
      <Icon name={icon} size={12} tone={tone} />
      <span className={styles.word}>{label}</span>
    </span>
  );
}

function Twisty({ row, text }: { row: ReportRow; text: string }): ReactElement {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={cx(styles.twisty, row.expanded && styles.expanded)}
      aria-label={`${row.expanded ? 'Close' : 'Open'} ${text}`}
      onClick={alone(() => reportsStore.getState().toggleExpanded(row.path))}
    >
      <Icon name="chevron-right" size={14} />
    </button>
  );
}

export function Value({ dimension, value }: { dimension: string; value: string | null }): ReactElement {
  const country = dimension === 'geo' && value !== null ? countryName(value) : null;
  if (country !== null) {
    return (
      <>
        <span className={styles.code}>{value}</span> <span>{country}</span>
      </>
    );
  }
  if (value === null || value === '')
    return <span className={styles.code}>{valueLabel(dimension, value)}</span>;
  return <ForeignText text={valueLabel(dimension, value)} />;
}

function RowWords(props: {
  row: ReportRow;
  value: { dimension: string; value: string | null };
  incompleteDay: string | null;
}): ReactElement | null {
  const { row, value, incompleteDay } = props;
  if (row.excluded) return <span className={styles.word}>excluded</span>;
  if (value.dimension !== 'date' || value.value === null) return null;
  if (value.value === incompleteDay) return <span className={styles.word}>incomplete</span>;
  return isWeekend(value.value) ? <span className={styles.word}>weekend</span> : null;
}

interface ChangeTextProps {
  difference: Difference;
  part: 'ratio' | 'both';
}

/**
 * A change is never coloured, because its direction does not say whether the level is good. The sentence is for
 * assistive technology.
 */
export function ChangeText({ difference, part }: ChangeTextProps): ReactElement {
  const { direction, absolute, ratio, sentence } = difference;
  const text = part === 'ratio' ? (ratio ?? absolute) : [absolute, ratio].filter(Boolean).join(' · ');
  return (
    <span className={styles.difference} title={sentence}>
      {direction !== 'same' && <Icon name={direction === 'up' ? 'arrow-up' : 'arrow-down'} size={12} />}
      <span aria-hidden>{text}</span>
      <span className={pages.unseen}>{sentence}</span>
    </span>
  );
}
