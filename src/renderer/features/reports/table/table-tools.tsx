import { goToReport, reportPreferences, reportsStore } from '../stores/stores.ts';
import { isWaiting, type ReportHead } from '../stores/reports-store.ts';
import { withMoved } from '../stores/report-preferences.ts';
import { withDifferenceToggled, withLevels } from '../stores/report-query.ts';
import { useFormats, Button, Checkbox, SearchField, useDelayedText } from '#renderer/ui/index.ts';
import { OrderedChoice, PanelButton, Segments } from '#renderer/ui/report/index.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { dimensionLabel, nounOf, nounsOf, reportDimensions, sortedColumn } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { choosableColumns } from './columns.tsx';
import styles from './report-table.module.css';
import { useReport } from '../use-report.ts';

const nameOf = (dimension: string): string => inertText(dimensionLabel(dimension));

/** By what the rows are grouped, which of them, and their columns. */
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
      <span className={styles.push} />
      {head?.comparedTotals != null && <ChangeOrder query={query} />}
      <RowSearch query={query} />
      <ChartSwitch query={query} />
      <ColumnChooser query={query} head={head} />
    </div>
  );
}

/** XML traffic comes grouped by one dimension; the rows of Search have all of them, and form a tree in any order. */
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

/** Puts the rows in the order of their changes against the compared days. */
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

/** Rows have the chart's room where it is hidden. */
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
