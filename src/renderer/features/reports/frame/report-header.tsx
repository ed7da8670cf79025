import { goToReport, reportsStore, withSource, type ReportHead } from '#renderer/stores/reports/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { ageText, Button, IconButton, Segments, useNow } from '#renderer/ui/index.ts';
import type { ReportSource } from '#shared/app-api/index.ts';
import { reportLabels, type ReportKind } from '#shared/reports/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { SourcePicker } from './source-picker.tsx';
import styles from './frame.module.css';

const kinds = (['xml', 'search'] as const).map((id) => ({ id, label: reportLabels[id] }));

/** The source of a report when a person turns to it: its first known one, or every feed. Null where one has to be chosen. */
function sourceOf(kind: ReportKind): ReportSource | null {
  if (kind === 'search') return { kind, sid: null };
  const [tid] = reportsStore.getState().sources?.tids ?? [];
  return tid === undefined ? null : { kind, tid };
}

function turnTo(kind: ReportKind): void {
  const { query } = reportsStore.getState();
  const source = sourceOf(kind);
  if (source === null) uiStore.getState().navigate({ page: 'reports', parameters: `xml=` });
  else if (query !== null) goToReport(withSource(query, source));
  else uiStore.getState().navigate({ page: 'reports', parameters: 'search=all' });
}

/** Title, report, source, how old the figures are, and what is done with the whole report. */
export function ReportHeader(): ReactElement {
  const { query, head, refresh } = useStore(reportsStore);
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>Reports</h1>
      <Segments label="Report" value={query?.source.kind ?? 'xml'} options={kinds} onChange={turnTo} />
      {query !== null && <SourcePicker />}
      <span className={styles.push} />
      {head !== null && <Reading state={head.state} />}
      {/* Views, Alerts and Export stand here. */}
      <IconButton icon="refresh" label="Refresh" disabled={query === null} onClick={refresh} />
    </header>
  );
}

/** How far a reading is, or how old the figures are. */
function Reading({ state }: { state: ReportHead['state'] }): ReactElement | null {
  const nowMs = useNow(5000);
  if (state.state === 'reading') {
    const { doneRequests, allRequests } = state;
    return (
      <>
        <span className={styles.progress} role="status">
          {allRequests > 1 ? `Reading ${doneRequests} of ${allRequests}` : 'Reading'}
          {state.receivedBytes >= bigBytes && ` · ${megabytes(state.receivedBytes)}`}
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
  return <span className={styles.age}>read {ageText(state.readAtMs, nowMs)}</span>;
}

const bigBytes = 1_000_000;
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
