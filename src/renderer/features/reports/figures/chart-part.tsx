import { ledgerStore } from '#renderer/stores/ledger/ledger-store.ts';
import { changesStore, goToReport, largestStore, reportPreferences, reportsStore } from '../stores/stores.ts';
import { useReport } from '../use-report.ts';
import { isWaiting } from '../stores/reports-store.ts';
import { unsplitDimension, withLevels, withOnly, withoutOnly, withRange } from '../stores/report-query.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { BarList, TimeChart, type ChartMarker } from '#renderer/ui/chart/index.ts';
import { Button, Checkbox, cx, Loading, Skeleton, useLongerThan, common } from '#renderer/ui/index.ts';
import type { ReportColumn, ReportPage, ReportQuery } from '#shared/app-api/index.ts';
import { fullDateText, isDate } from '#shared/lib/date-text.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { chartTitle, columnLabel, dimensionInSentence, isSum, type DayRange } from '#shared/reports/index.ts';
import { useDeferredValue, useEffect, useMemo, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { markerOf, UnusualDays, unusualIn } from './unusual-days.tsx';
import styles from './figures.module.css';
import type { ReportHead } from '../stores/report-rows.ts';

/** In pixels, so that rows keep nearly half of a window of 800 pixels. */
const height = 148;
const maxBars = 5;

export function ChartPart(): ReactElement | null {
  const { query, answered, head, loading } = useReport('query', 'answered', 'head', 'loading');
  const waiting = useStore(reportsStore, isWaiting);
  const slow = useLongerThan(200, waiting);
  const isShown = useStore(reportPreferences, (state) => query !== null && state[query.source.kind].chart);
  const shown = answered ?? query;
  const report = useMemo(
    () => (waiting || shown === null || head === null ? null : { query: shown, head }),
    [waiting, shown, head],
  );
  // Deferred, so that rows and key figures appear before their chart is drawn.
  const drawn = useDeferredValue(report);
  if (query === null || !isShown) return null;
  if (report === null || drawn === null) {
    return <div className={styles.part}>{slow && <Skeleton width="30%" />}</div>;
  }
  return (
    <div className={cx(styles.part, loading && styles.chartDim)} aria-busy={loading}>
      <Time {...drawn} />
      <Largest {...drawn} />
    </div>
  );
}

function Time({ query, head }: { query: ReportQuery; head: ReportHead }): ReactElement {
  const { metrics, changes } = useStore(reportPreferences, (state) => state[query.source.kind]);
  const ledger = useChanges(changes ? head.range : null);
  const unusual = useMemo(() => unusualIn(query.source.kind, metrics[0], head), [query, metrics, head]);
  const markers = useMemo(() => [...ledger, ...unusual.map(markerOf)], [ledger, unusual]);
  const openDay = (date: string): void => goToReport(withRange(query, { from: date, to: date }));
  const drawn = metrics.flatMap((id) => head.columns.find((column) => column.id === id) ?? []);
  return (
    <div className={styles.time}>
      <TimeChart
        label={inertText(chartTitle(drawn))}
        height={height}
        columns={head.columns}
        shown={metrics}
        days={head.days}
        comparedDays={head.comparedDays}
        incompleteDay={head.incompleteDay}
        markers={markers}
        onMarker={(id) => (isDate(id) ? openDay(id) : openEntry(id))}
        onRange={(from, to) => goToReport(withRange(query, { from, to }))}
      />
      <UnusualDays days={unusual} head={head} onOpen={openDay} />
      <WholeSource query={query} />
      <div className={styles.changes}>
        <Checkbox
          label="Changes from the ledger"
          checked={changes}
          onChange={(checked) =>
            reportPreferences.getState().setLook(query.source.kind, { changes: checked })
          }
        />
        <CutChanges />
      </div>
    </div>
  );
}

/** XML traffic by day cannot be split by other dimensions, so the lines include traffic that the totals exclude. */
function WholeSource({ query }: { query: ReportQuery }): ReactElement | null {
  const dimension = unsplitDimension(query);
  if (dimension === null) return null;
  return (
    <p className={styles.small}>
      Lines show the whole source: its days are not split by {inertText(dimensionInSentence(dimension))}.
    </p>
  );
}

function useChanges(days: DayRange | null): ChartMarker[] {
  const profile = useStore(sessionStore, ({ session }) => session?.profile ?? null);
  const entries = useStore(changesStore, (state) => state.entries);
  const [from, to] = [days?.from, days?.to];
  useEffect(() => {
    const { show, clear } = changesStore.getState();
    if (profile === null || from === undefined || to === undefined) clear();
    else show({ from, to }, profile);
  }, [profile, from, to]);
  return useMemo(
    () => entries.map(({ day, entry }) => ({ id: String(entry.seq), date: day, label: entry.summary })),
    [entries],
  );
}

function CutChanges(): ReactElement | null {
  const cutBefore = useStore(changesStore, (state) => state.cutBefore);
  if (cutBefore === null) return null;
  return (
    <span className={common.quiet}>
      Only from {fullDateText(cutBefore)} on; choose fewer days for the rest.
    </span>
  );
}

function openEntry(id: string): void {
  const found = changesStore.getState().entries.find(({ entry }) => String(entry.seq) === id);
  ledgerStore.getState().filterBy(found?.entry.proposalId ?? null);
  uiStore.getState().navigate({ page: 'ledger' });
}

const barDimension = ({ levels }: ReportQuery): string => levels.find((level) => level !== 'date') ?? 'geo';

function Largest({ query, head }: { query: ReportQuery; head: ReportHead }): ReactElement | null {
  const metric = useStore(reportPreferences, (state) => state[query.source.kind].metrics.at(0));
  const { page, dimension } = useStore(largestStore);
  const by = barDimension(query);
  useEffect(() => {
    if (metric !== undefined) largestStore.getState().show(query, by, metric);
  }, [query, by, metric, head]);
  const isAnswered = page !== null && dimension === by;
  const isMissing = isAnswered && page.state.partial && page.state.state === 'idle';
  const isSettled = head.state.state === 'idle' && !head.state.partial;
  useEffect(() => {
    if (isMissing && isSettled) largestStore.getState().complete();
  }, [isMissing, isSettled, query]);
  const column = page?.columns.find(({ id }) => id === metric);
  if (!isAnswered || column === undefined || (page.rows.length === 0 && !page.state.partial)) return null;
  const title = inertText(`${columnLabel(column)} by ${dimensionInSentence(by)}`);
  return (
    <section className={styles.largest} aria-label={title}>
      <h2 className={cx(common.quiet, styles.title)}>{title}</h2>
      {page.rows.length === 0 ? (
        <NotRead state={page.state.state} />
      ) : (
        <Bars title={title} query={query} by={by} column={column} page={page} />
      )}
    </section>
  );
}

interface BarsProps {
  title: string;
  query: ReportQuery;
  by: string;
  column: ReportColumn;
  page: ReportPage;
}

function Bars({ title, query, by, column, page }: BarsProps): ReactElement {
  const at = page.columns.indexOf(column);
  const bars = page.rows
    .filter(({ excluded }) => !excluded)
    .slice(0, maxBars)
    .map(({ path, values, compared }) => ({
      value: path[0] ?? null,
      figure: values[at] ?? null,
      compared: compared?.[at] ?? null,
    }));
  const figure = page.totals[at] ?? null;
  const count = page.rowCount - page.excludedCount;
  return (
    <BarList
      label={title}
      dimension={by}
      column={column}
      bars={bars}
      total={
        isSum(column.kind) && figure !== null
          ? { figure, compared: page.comparedTotals?.[at] ?? null, count }
          : null
      }
      picked={query.only.filter((value) => value.dimension === by).map(({ value }) => value)}
      onPick={(value) => pick(query, { dimension: by, value })}
    />
  );
}

function NotRead({ state }: { state: ReportHead['state']['state'] }): ReactElement {
  if (state === 'reading') return <Loading label="Reading" widths={['86%', '62%', '44%', '30%']} />;
  return (
    <p className={cx(common.stack3, styles.notRead)}>
      Not read for these days.{' '}
      <Button size="small" onClick={() => largestStore.getState().readMissing()}>
        Read now
      </Button>
    </p>
  );
}

function pick(query: ReportQuery, value: ReportQuery['only'][number]): void {
  const { dimension } = value;
  if (query.source.kind === 'xml' && !query.levels.includes(dimension)) {
    return goToReport(withOnly(withLevels(query, [dimension]), [value]));
  }
  const isPicked = query.only.some(
    (other) => other.dimension === value.dimension && other.value === value.value,
  );
  goToReport(isPicked ? withoutOnly(query, [value]) : withOnly(query, [value]));
}
