import { goToReport, reportPreferences, reportsStore } from '../stores/stores.ts';
import { useReport } from '../use-report.ts';
import { isWaiting } from '../stores/reports-store.ts';
import { withMoved } from '../stores/report-preferences.ts';
import {
  withDifferenceToggled,
  withLevels,
  valueOf,
  valuesOf,
  valuesOfAll,
  withoutExcluded,
  withExcluded,
  withOnly,
} from '../stores/report-query.ts';
import {
  useFormats,
  Button,
  Checkbox,
  SearchField,
  useDelayedText,
  cx,
  Icon,
  IconButton,
  Menu,
} from '#renderer/ui/index.ts';
import { OrderedChoice, PanelButton, Segments } from '#renderer/ui/report/index.ts';
import {
  type ReportQuery,
  markSigns,
  type MarkSign,
  type ReportSource,
  type ReportValue,
} from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  dimensionLabel,
  nounOf,
  nounsOf,
  reportDimensions,
  sortedColumn,
  columnLabel,
  formatValue,
  type DayRange,
} from '#shared/reports/index.ts';
import type { CSSProperties, ReactElement } from 'react';
import { useStore } from 'zustand';
import { choosableColumns } from './columns.tsx';
import styles from './report-table.module.css';
import { markOf, marksStore } from '../stores/marks-store.ts';
import { selectionSums, type ReportHead } from '../stores/report-rows.ts';
import { signLooks } from '../marks/mark-control.tsx';

const nameOf = (dimension: string): string => inertText(dimensionLabel(dimension));

export function TableTools(): ReactElement | null {
  const formats = useFormats();
  const { query, answered, head, rows } = useReport('query', 'answered', 'head', 'rows');
  const waiting = useStore(reportsStore, isWaiting);
  if (query === null) return null;
  const shown = answered ?? query;
  return (
    <div className={styles.tools}>
      <GroupBy query={query} head={head} />
      <span className={styles.toolsCount} role="status">
        {rows !== null &&
          !waiting &&
          formats.counted(
            rows.count,
            shown.levels.length === 1 ? nounOf(shown.levels[0]) : 'row',
            nounsOf(shown.levels),
          )}
      </span>
      <TableLegend />
      <span className={styles.push} />
      {head?.comparedTotals != null && <ChangeOrder query={query} />}
      <RowSearch query={query} />
      <ChartSwitch query={query} />
      <ColumnChooser query={query} head={head} />
    </div>
  );
}

const flagLooks = [
  ['bad', 'Worse'],
  ['good', 'Better'],
  ['look', 'Unlike the others'],
] as const;

function TableLegend(): ReactElement | null {
  const { query, answered, head } = useReport('query', 'answered', 'head');
  const waiting = useStore(reportsStore, isWaiting);
  const looks = useStore(reportPreferences);
  const shown = answered ?? query;
  if (shown === null || head === null || waiting) return null;
  const { heat, hidden } = looks[shown.source.kind];
  const hasDays = shown.levels.includes('date');
  const hasShares = head.columns.some(({ id, kind }) => kind === 'share' && !hidden.includes(id));
  return (
    <ul className={styles.legend} aria-label="Legend of the rows">
      {hasShares &&
        flagLooks.map(([look, label]) => (
          <li key={look} className={styles[look]}>
            <Icon name="flag" size={12} /> {label}
          </li>
        ))}
      {heat && (
        <li>
          {[0.1, 0.5, 1].map((shade) => (
            <span
              key={shade}
              aria-hidden
              className={cx(styles.swatch, styles.tableHeat)}
              style={{ '--heat': shade } as CSSProperties}
            />
          ))}
          <span>Larger in its column</span>
        </li>
      )}
      {hasDays && (
        <li>
          <span aria-hidden className={cx(styles.swatch, styles.weekend)} /> Weekend
        </li>
      )}
      {hasDays && head.incompleteDay !== null && (
        <li>
          <span aria-hidden className={cx(styles.swatch, styles.incomplete)} /> Not ended
        </li>
      )}
    </ul>
  );
}

/** XML traffic is grouped by only one dimension, Search by several in any order. */
function GroupBy({ query, head }: { query: ReportQuery; head: ReportHead | null }): ReactElement {
  const { kind } = query.source;
  const dimensions = head?.dimensions ?? reportDimensions[kind];
  if (kind === 'xml') {
    return (
      <Segments
        label="Group by"
        value={query.levels[0] ?? 'date'}
        options={dimensions.map((id) => ({ id, label: nameOf(id) }))}
        onChange={(level) => goToReport(withLevels(query, [level]))}
      />
    );
  }
  const { levels } = query;
  const ordered = [...levels, ...dimensions.filter((dimension) => !levels.includes(dimension))];
  return (
    <PanelButton
      icon="rows"
      label={levels.map(nameOf).join(' › ')}
      name={`Group by: ${levels.map(nameOf).join(' › ')}`}
      title="Levels from the outside in"
    >
      {() => (
        <OrderedChoice
          label="Levels"
          orderChosen
          items={ordered.map((id) => ({
            id,
            label: nameOf(id),
            chosen: levels.includes(id),
            fixed: levels.length === 1 && levels[0] === id,
          }))}
          onToggle={(id) => {
            const others = levels.filter((level) => level !== id);
            goToReport(withLevels(query, others.length < levels.length ? others : [...levels, id]));
          }}
          onMove={(id, step) => goToReport(withLevels(query, withMoved(levels, id, step)))}
        />
      )}
    </PanelButton>
  );
}

function ChangeOrder({ query }: { query: ReportQuery }): ReactElement {
  const { byDifference } = sortedColumn(query.sort.column);
  return (
    <Button
      kind={byDifference ? 'secondary' : 'quiet'}
      icon="sort-changes"
      aria-pressed={byDifference}
      onClick={() => goToReport(withDifferenceToggled(query))}
    >
      <span className={styles.label}>Sort by change</span>
    </Button>
  );
}

function RowSearch({ query }: { query: ReportQuery }): ReactElement {
  const [text, setText] = useDelayedText(query.search, (search) =>
    goToReport({ ...query, search: search.slice(0, 200) }, 'replace'),
  );
  const noun = nounsOf(query.levels.slice(0, 1));
  return (
    <SearchField label={`Search ${noun}`} placeholder={`Search ${noun}`} value={text} onChange={setText} />
  );
}

function ChartSwitch({ query: { source } }: { query: ReportQuery }): ReactElement {
  const isShown = useStore(reportPreferences, (state) => state[source.kind].chart);
  return (
    <Button
      kind="quiet"
      icon="reports"
      onClick={() => reportPreferences.getState().setLook(source.kind, { chart: !isShown })}
    >
      <span className={styles.label}>{isShown ? 'Hide chart' : 'Show chart'}</span>
    </Button>
  );
}

function ColumnChooser({ query, head }: { query: ReportQuery; head: ReportHead | null }): ReactElement {
  const { kind } = query.source;
  const look = useStore(reportPreferences, (state) => state[kind]);
  const { toggleColumn, moveColumn, setLook } = reportPreferences.getState();
  const columns = choosableColumns({ query, head, look });
  const chosen = columns.filter(({ id }) => !look.hidden.includes(id));
  return (
    <PanelButton icon="columns" kind="quiet" label="Columns" name="Columns" title="Columns in their order">
      {() => (
        <>
          <div className={styles.toolsHeat}>
            <Checkbox
              label="Heat"
              hint="Shades the larger values of each column"
              checked={look.heat}
              onChange={(heat) => setLook(kind, { heat })}
            />
          </div>
          <OrderedChoice
            label="Columns"
            items={columns.map(({ id, label }) => ({
              id,
              label,
              chosen: !look.hidden.includes(id),
              fixed: chosen.length === 1 && chosen[0]?.id === id,
            }))}
            onToggle={(id) => toggleColumn(kind, id)}
            onMove={(column, step) =>
              moveColumn(
                kind,
                columns.map(({ id }) => id),
                { column, step },
              )
            }
          />
        </>
      )}
    </PanelButton>
  );
}

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

const maxSums = 4;

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
        onClick={() => goToReport((areOff ? withoutExcluded : withExcluded)(answered, paths))}
      >
        {areOff ? 'Count again' : 'Exclude'}
      </Button>
      <IconButton size="small" icon="close" label="Clear selection" onClick={clearSelection} />
    </div>
  );
}
