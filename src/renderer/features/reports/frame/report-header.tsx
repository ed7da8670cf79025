import { alertsStore, unseenAlertEvents } from '#renderer/stores/alerts-store.ts';
import {
  goToPart,
  goToReport,
  reportsStore,
  type ReportPart,
  hasNoFigures,
  isOfDays,
} from '../stores/stores.ts';
import { useReport } from '../use-report.ts';
import { withSource, withComparison, withoutExcluded, withoutOnly } from '../stores/report-query.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Age,
  Badge,
  Button,
  GuideLink,
  IconButton,
  type IconName,
  useFormats,
  Checkbox,
  ForeignText,
  Icon,
  LinkButton,
  Menu,
  common,
  cx,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import type { ReportSource, ReportExclusion, ReportQuery } from '#shared/app-api/index.ts';
import {
  reportLabels,
  type ReportKind,
  comparisonLabels,
  comparisons,
  dimensionLabel,
  incompleteDayOf,
  rangeText,
  valueLabel,
} from '#shared/reports/index.ts';
import type { ReactElement, ReactNode } from 'react';
import { useStore } from 'zustand';
import { ExportMenu } from '../export-menu.tsx';
import { ViewsMenu } from '../views-dialog.tsx';
import { SourcePicker, RangePicker } from './pickers.tsx';
import styles from './frame.module.css';
import { inertStart } from '#shared/lib/inert-text.ts';
import type { ReportHead } from '../stores/report-rows.ts';

type Shown = ReportKind | 'marks' | 'alerts';

const kinds: { id: Shown; label: string }[] = [
  { id: 'xml', label: reportLabels.xml },
  { id: 'search', label: reportLabels.search },
];

function sourceOf(kind: ReportKind): ReportSource | null {
  if (kind === 'search') return { kind, sid: null };
  const [tid] = reportsStore.getState().sources?.tids ?? [];
  return tid === undefined ? null : { kind, tid };
}

function turnTo(kind: Shown): void {
  if (kind !== 'xml' && kind !== 'search') return;
  const { query } = reportsStore.getState();
  const source = sourceOf(kind);
  if (query?.source.kind === kind) return goToReport(query);
  if (source === null) uiStore.getState().navigate({ page: 'reports', parameters: `xml=` });
  else if (query !== null) goToReport(withSource(query, source));
  else uiStore.getState().navigate({ page: 'reports', parameters: 'search=all' });
}

export function ReportHeader({ part }: { part: ReportPart }): ReactElement {
  const { query, head, failure, refresh } = useReport('query', 'head', 'failure', 'refresh');
  const isRead = head !== null && !(failure !== null && hasNoFigures({ head, failure }));
  return (
    <header className={styles.header}>
      <h1 className={cx(common.heading, styles.title)}>Reports</h1>
      <GuideLink href={routeHref({ page: 'guide', place: 'reports' })} />
      <Segments
        label="Report"
        value={part === 'report' ? (query?.source.kind ?? 'xml') : part}
        options={kinds}
        onChange={turnTo}
      />
      {query !== null && part === 'report' && <SourcePicker />}
      <div className={styles.actions}>
        {part === 'report' && isRead && <Reading state={head.state} />}
        {query !== null && <ViewsMenu query={query} onOpen={(view) => goToReport(view)} />}
        {part === 'report' && query !== null && <ExportMenu />}
        <PartButton part="marks" shown={part} icon="watch" label="Marks" />
        <AlertsButton shown={part} />
        <IconButton icon="refresh" label="Refresh" disabled={query === null} onClick={refresh} />
      </div>
    </header>
  );
}

interface PartButtonProps {
  part: ReportPart;
  shown: ReportPart;
  icon: IconName;
  label: string;
  children?: ReactNode;
}

function PartButton({ part, shown, icon, label, children }: PartButtonProps): ReactElement {
  const isShown = part === shown;
  return (
    <Button
      icon={icon}
      kind={isShown ? 'secondary' : 'quiet'}
      aria-pressed={isShown}
      onClick={() => goToPart(isShown ? 'report' : part)}
    >
      <span className={styles.partLabel}>{label}</span>
      {children}
    </Button>
  );
}

function AlertsButton({ shown }: { shown: ReportPart }): ReactElement {
  const unseen = useStore(alertsStore, ({ view }) => unseenAlertEvents(view?.events));
  return (
    <PartButton part="alerts" shown={shown} icon="alerts" label="Alerts">
      {unseen > 0 && <Badge attention count={unseen} label={`${unseen} new`} />}
    </PartButton>
  );
}

function Reading({ state }: { state: ReportHead['state'] }): ReactElement | null {
  const aheadMs = useStore(sessionStore, serviceAheadMs);
  if (state.state === 'reading') {
    const { doneRequests, allRequests } = state;
    return (
      <>
        <span className={styles.progress} role="status">
          {allRequests > 1 ? `Reading ${doneRequests} of ${allRequests}` : 'Reading'}
          {state.receivedBytes >= bigBytes && <span>{` · ${megabytes(state.receivedBytes)}`}</span>}
          <progress
            className={styles.bar}
            aria-label="Reading"
            max={Math.max(1, allRequests)}
            value={doneRequests}
          />
        </span>
        <Button size="small" onClick={reportsStore.getState().cancel}>
          Cancel
        </Button>
      </>
    );
  }
  if (state.readAtMs === null) return null;
  return (
    <span className={styles.age}>
      read <Age atMs={state.readAtMs} aheadMs={aheadMs} />
    </span>
  );
}

const bigBytes = 1_000_000;
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const entries = comparisons.map((id) => ({ id, label: comparisonLabels[id] }));

export function ReportControls(): ReactElement | null {
  const { query, head, failure } = useReport('query', 'head', 'failure');
  if (query === null) return null;
  const { comparison } = query;
  const compared = comparison === 'none' ? null : `vs ${comparisonLabels[comparison].toLowerCase()}`;
  return (
    <div className={styles.controls}>
      <RangePicker query={query} />
      <Menu
        label={compared ?? 'Compare'}
        name={compared === null ? 'Compare' : `Compare: ${compared}`}
        entries={entries}
        selection={{ mode: 'single', ids: [comparison] }}
        onAction={(id) =>
          goToReport(withComparison(query, comparisons.find((known) => known === id) ?? 'none'))
        }
      />
      <Checkbox
        label="Include today"
        checked={query.includeToday}
        onChange={(includeToday) => goToReport({ ...query, includeToday })}
      />
      {head !== null && (
        <Days head={head} isOfQuery={failure?.fields.every((field) => !isOfDays(field)) ?? true} />
      )}
    </div>
  );
}

interface DaysProps {
  head: NonNullable<ReturnType<typeof reportsStore.getState>['head']>;
  isOfQuery: boolean;
}

function Days({ head, isOfQuery }: DaysProps): ReactElement {
  const { zone } = head;
  const compared = isOfQuery ? head.compared : null;
  const day = isOfQuery ? incompleteDayOf(head) : null;
  const parts = [
    compared && `compared with ${rangeText(compared)}`,
    day && (day.isCounted ? 'today is incomplete' : 'today is incomplete and does not count'),
    `service days in ${zone}`,
  ].filter((part) => typeof part === 'string');
  return <span className={styles.note}>{parts.join(' · ')}</span>;
}

const maxChips = 12;

export function FilterChips(): ReactElement | null {
  const formats = useFormats();
  const query = useStore(reportsStore, (state) => state.query);
  if (query === null || query.only.length + query.excluded.length === 0) return null;
  const { only, excluded } = query;
  return (
    <div className={styles.chips} role="group" aria-label="Filters">
      {only.length > 0 && <span className={common.soft}>Only</span>}
      <Chips
        rows={only.map((value) => [value])}
        remove={(values) => withoutOnly(query, values)}
        verb="Remove filter"
      />
      {excluded.length > 0 && (
        <span className={common.soft} role="status">
          {formats.counted(excluded.length, 'value')} excluded from totals
        </span>
      )}
      <Chips rows={excluded} remove={(row) => withoutExcluded(query, [row])} verb="Count again:" />
      <LinkButton onClick={() => goToReport({ ...query, only: [], excluded: [] })}>
        {only.length === 0 ? 'Count all again' : 'Clear filters'}
      </LinkButton>
    </div>
  );
}

function Chips(props: {
  rows: readonly ReportExclusion[];
  remove: (row: ReportExclusion) => ReportQuery;
  verb: string;
}): ReactElement {
  const formats = useFormats();
  const { rows, remove, verb } = props;
  const rest = rows.length - maxChips;
  return (
    <>
      {rows.slice(0, maxChips).map((row) => {
        const values = row.map(({ dimension, value }) => ({
          dimension: inertStart(dimensionLabel(dimension), 40),
          text: inertStart(valueLabel(dimension, value), 40),
        }));
        return (
          <Button
            key={JSON.stringify(row)}
            size="small"
            aria-label={`${verb} ${values.map(({ dimension, text }) => `${dimension} ${text}`).join(' › ')}`}
            onClick={() => goToReport(remove(row))}
          >
            {values.map(({ dimension, text }, at) => (
              <span key={dimension}>
                {at > 0 && <span> › </span>}
                <span className={common.faint}>
                  <ForeignText text={dimension} />
                </span>{' '}
                <ForeignText text={text} />
              </span>
            ))}
            <Icon name="close" size={12} />
          </Button>
        );
      })}
      {rest > 0 && <span>and {formats.counted(rest, 'other')}</span>}
    </>
  );
}
