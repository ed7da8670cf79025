import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { alertsStore } from '#renderer/stores/alerts-store.ts';
import {
  useFormats,
  Banner,
  Button,
  EmptyState,
  Skeleton,
  Spread,
  changeAndFocus,
  useNow,
} from '#renderer/ui/index.ts';
import type { AlertChecks, AlertView, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { AlertForm } from './alert-form.tsx';
import { AlertHistory, AlertItem, editButtonId } from './alert-item.tsx';
import styles from '../panels.module.css';

export interface AlertsPanelProps {
  /** The first input of a new alert: the shown report, and one chosen value of it. */
  source: ReportSource;
  only: ReportValue | null;
}

/** Alerts of the profile: their state, their last check, and their history. */
export function AlertsPanel({ source, only }: AlertsPanelProps): ReactElement {
  const { view, failure, refusal, dismiss } = useStore(alertsStore);
  const [edited, setEdited] = useState<AlertView | 'new' | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const { see, dismissNews } = alertsStore.getState();
    dismissNews();
    void see();
  }, [view]);
  if (view === null) {
    return failure ? (
      <EmptyState icon="alert-circle" title={failure.message}>
        {failure.next}
      </EmptyState>
    ) : (
      <div className={styles.notePanel} aria-label="Reading the alerts">
        {['52%', '44%', '60%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    );
  }
  /** The focus returns to the button that opened the form. */
  function done(): void {
    dismiss();
    const of = edited === null || edited === 'new' ? null : edited.id;
    changeAndFocus(
      () => setEdited(null),
      () => (of === null ? addButton.current : document.getElementById(editButtonId(of))),
    );
  }
  const add = (
    <Button ref={addButton} kind="primary" icon="plus" onClick={() => setEdited('new')}>
      Add alert
    </Button>
  );
  if (edited !== null) {
    const first = edited === 'new' ? null : edited;
    return (
      <div className={styles.notePanel}>
        <AlertForm alert={first} source={source} only={only} onDone={done} />
      </div>
    );
  }
  return (
    <div className={styles.notePanel}>
      {refusal && (
        <Banner tone="warning" title={refusal.failure.message}>
          {refusal.failure.next}
        </Banner>
      )}
      {view.items.length === 0 ? (
        <EmptyState icon="alerts" title="No alerts yet" action={add}>
          Get notified when a metric of yesterday or the last 7 days crosses your threshold.
        </EmptyState>
      ) : (
        <>
          <Spread>
            <p className={styles.intro}>
              <Checks checks={view.checks} anyOn={view.items.some(({ on }) => on)} />
            </p>
            {add}
          </Spread>
          <ul className={styles.list} aria-label="Alerts" data-entries="">
            {view.items.map((alert) => (
              <AlertItem
                key={alert.id}
                alert={alert}
                onEdit={() => setEdited(alert)}
                adds={() => addButton.current}
              />
            ))}
          </ul>
        </>
      )}
      <AlertHistory events={view.events} />
    </div>
  );
}

/** When the next check is due, and what prevents it. */
function Checks({ checks, anyOn }: { checks: AlertChecks; anyOn: boolean }): ReactElement {
  const formats = useFormats();
  const { check, doing } = useStore(alertsStore);
  const nowMs = useNow(30_000);
  const { usedRequests, maxRequests, nextCheckAtMs, failure } = checks;
  if (!anyOn) return <span>All alerts are off.</span>;
  return (
    <>
      <span>Checked hourly while Countersign is open</span>
      {nextCheckAtMs !== null && (
        <span>{`, next ${nextCheckAtMs <= nowMs ? 'now' : `at ${formats.clock(nextCheckAtMs)}`}`}</span>
      )}
      {usedRequests >= maxRequests && (
        <span>{`; the limit of ${maxRequests} requests an hour is reached`}</span>
      )}
      <span>. </span>
      <Button size="small" kind="quiet" disabled={doing !== null} onClick={() => void check()}>
        {doing?.kind === 'check' ? 'Checking…' : 'Check now'}
      </Button>
      {failure && (
        <Banner tone="warning" title={`The last check failed: ${failure.message}`}>
          {failure.next}
        </Banner>
      )}
    </>
  );
}
