import { markOf, marksStore } from '../stores/marks-store.ts';
import { goToReport, reportPreferences } from '../stores/stores.ts';
import { selectionSums } from '../stores/report-rows.ts';
import {
  valueOf,
  valuesOf,
  valuesOfAll,
  withCounted,
  withExcluded,
  withOnly,
} from '../stores/report-query.ts';
import { useFormats, Button, IconButton, Menu } from '#renderer/ui/index.ts';
import { markSigns, type MarkSign, type ReportSource, type ReportValue } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { columnLabel, formatValue, type DayRange } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { signLooks } from '../marks/mark-control.tsx';
import styles from './report-table.module.css';
import { useReport } from '../use-report.ts';

/** Marks values one after the other; days have no marks. A refusal ends it, and the marks page says why. */
async function markAll(what: {
  source: ReportSource;
  values: readonly ReportValue[];
  sign: MarkSign;
  range: DayRange;
}): Promise<void> {
  const { items, set } = marksStore.getState();
  for (const value of what.values) {
    if (value.dimension === 'date') continue;
    const target = { source: what.source, ...value };
    const note = markOf(items, target)?.note ?? '';
    if (!(await set({ target, sign: what.sign, note, range: what.range }))) return;
  }
}

const nothing: readonly string[] = [];

/** Sums beside the selection; the rest is in the table. */
const maxSums = 4;

/** Totals of the selected rows, and actions on them. */
export function SelectionBar(): ReactElement | null {
  const formats = useFormats();
  const { answered, head, selection, outdated, clearSelection } = useReport(
    'answered',
    'head',
    'selection',
    'outdated',
    'clearSelection',
  );
  const hidden = useStore(reportPreferences, (state) =>
    answered ? state[answered.source.kind].hidden : nothing,
  );
  if (answered === null || head === null || selection.size === 0) return null;
  const sums = selectionSums(answered.source.kind, head.columns, selection);
  const shown = head.columns
    .map((column, at) => ({ column, sum: sums[at] ?? null }))
    .filter(({ column }) => !hidden.includes(column.id));
  const rows = [...selection.values()];
  const values = rows.map(({ path }) => valueOf(answered, path));
  const paths = rows.map(({ path }) => valuesOf(answered, path));
  const only = valuesOfAll(
    answered,
    rows.map(({ path }) => path),
  );
  const areOff = rows.every(({ excluded }) => excluded);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected rows">
      <span className={styles.selectionCount} role="status">
        {formats.count(selection.size)} selected
      </span>
      {outdated.size > 0 && (
        <span className={styles.outdated} title="Scroll to these rows to update their figures.">
          {formats.counted(outdated.size, 'row')} with earlier figures
        </span>
      )}
      <dl className={styles.sums}>
        {shown.slice(0, maxSums).map(({ column, sum }) => (
          <div key={column.id} className={styles.sum}>
            <dt>{inertText(columnLabel(column))}</dt>
            <dd>{formatValue(column, sum, formats)}</dd>
          </div>
        ))}
      </dl>
      <Menu
        size="small"
        kind="quiet"
        icon="watch"
        label="Mark"
        name="Mark the selected values"
        entries={markSigns
          .filter((sign) => sign !== 'note')
          .map((sign) => ({ id: sign, label: signLooks[sign].label, icon: signLooks[sign].icon }))}
        onAction={(id) => {
          const sign = markSigns.find((one) => one === id);
          const { source } = answered;
          if (sign !== undefined) void markAll({ source, values, sign, range: head.counted ?? head.range });
        }}
      />
      <Button
        size="small"
        kind="quiet"
        icon="filter"
        disabled={only === null}
        title={only === null ? 'Select rows of one parent to show only these.' : undefined}
        onClick={() => only !== null && goToReport(withOnly(answered, only))}
      >
        Show only these
      </Button>
      <Button
        size="small"
        kind="quiet"
        icon="exclude"
        onClick={() => goToReport((areOff ? withCounted : withExcluded)(answered, paths))}
      >
        {areOff ? 'Count again' : 'Exclude'}
      </Button>
      <IconButton size="small" icon="close" label="Clear selection" onClick={clearSelection} />
    </div>
  );
}
