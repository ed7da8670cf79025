import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { alertsStore } from '#renderer/stores/alerts-store.ts';
import {
  useFormats,
  Banner,
  Button,
  EmptyState,
  FailureBanner,
  FailureState,
  Loading,
  Spread,
  changeAndFocus,
  useNow,
  common,
  ageText,
  Checkbox,
  ForeignText,
  IconButton,
  Pill,
  removeAndPassFocusAsync,
  type PillTone,
} from '#renderer/ui/index.ts';
import type {
  AlertChecks,
  AlertView,
  ReportSource,
  ReportValue,
  AlertEvent,
  AlertReadingView,
  AlertRule,
} from '#shared/app-api/index.ts';
import { AlertForm } from './alert-form.tsx';
import styles from '../panels.module.css';
import { inertStart } from '#shared/lib/inert-text.ts';
import {
  alertTitle,
  dimensionLabel,
  metricText,
  rangeText,
  valueLabel,
  volumeText,
} from '#shared/reports/index.ts';
import { sourceLabel } from '../marks/mark-control.tsx';

interface AlertsPanelProps {
  source: ReportSource;
  only: ReportValue | null;
}

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
      <FailureState failure={failure} />
    ) : (
      <Loading label="Reading the alerts" widths={['52%', '44%', '60%']} />
    );
  }
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
    return (
      <div className={styles.notePanel}>
        <AlertForm alert={edited === 'new' ? null : edited} source={source} only={only} onDone={done} />
      </div>
    );
  }
  return (
    <div className={styles.notePanel}>
      {refusal && <FailureBanner tone="warning" failure={refusal.failure} />}
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
          <ul aria-label="Alerts" data-entries="">
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

interface AlertItemProps {
  alert: AlertView;
  onEdit: () => void;
  adds: () => HTMLElement | null;
}

const editButtonId = (alertId: string): string => `edit-alert-${alertId}`;

function AlertItem({ alert, onEdit, adds }: AlertItemProps): ReactElement {
  const formats = useFormats();
  const { switchOn, remove, doing } = useStore(alertsStore);
  const [deleting, setDeleting] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { id, rule, on, checkedAtMs } = alert;
  const nowMs = useNow(10_000);
  const title = alertTitle(rule.source.kind, rule, formats);
  const { tone, label } = stateLook(alert);
  const volume = volumeText(rule, formats);
  async function confirmDeletion(): Promise<void> {
    if (opener.current) await removeAndPassFocusAsync(opener.current, () => remove(id), adds);
  }
  function keep(): void {
    setDeleting(false);
    opener.current?.focus();
  }
  return (
    <li className={styles.item} aria-label={title}>
      <span className={styles.itemName}>
        <strong>{title}</strong> <Pill tone={tone} label={label} hollow={!on} />
        <div className={styles.quiet}>
          <Scope rule={rule} />
          {volume !== null && <span>{` · ${volume}`}</span>}
        </div>
        <div className={styles.quiet}>
          {alert.reading && <ReadingWords rule={rule} reading={alert.reading} />}
          <span>
            {checkedAtMs === null ? 'Not checked yet' : `Checked ${ageText(checkedAtMs, nowMs, formats)}`}
          </span>
        </div>
        {deleting && (
          <Banner
            tone="warning"
            title="Delete this alert?"
            actions={
              <>
                <Button size="small" onClick={() => void confirmDeletion()}>
                  Delete alert
                </Button>
                <Button size="small" kind="quiet" autoFocus onClick={keep}>
                  Cancel
                </Button>
              </>
            }
          />
        )}
      </span>
      <span className={common.row1}>
        <Checkbox
          label="On"
          checked={on}
          disabled={doing !== null}
          onChange={(checked) => void switchOn(id, checked)}
        />
        <IconButton
          id={editButtonId(id)}
          size="small"
          icon="edit"
          label={`Edit alert: ${title}`}
          onClick={onEdit}
        />
        <IconButton
          ref={opener}
          size="small"
          icon="remove"
          data-removes="alert"
          label={`Delete alert: ${title}`}
          onClick={() => setDeleting(true)}
        />
      </span>
    </li>
  );
}

function stateLook({ on, state, reading }: AlertView): { tone: PillTone; label: string } {
  if (!on) return { tone: 'neutral', label: 'Off' };
  if (state === 'crossed') return { tone: 'bad', label: 'Crossed' };
  if (reading === null || reading.kind === 'unknown') return { tone: 'neutral', label: 'Unknown' };
  if (reading.kind === 'too-little') return { tone: 'neutral', label: 'Too little volume' };
  return { tone: 'good', label: 'Clear' };
}

function Scope({ rule: { source, only } }: { rule: AlertRule }): ReactElement {
  if (only === null) return <span>{sourceLabel(source)}</span>;
  const { dimension, value } = only;
  return (
    <>
      <span>{sourceLabel(source)} · </span>
      <ForeignText text={dimensionLabel(dimension)} />{' '}
      <ForeignText text={inertStart(valueLabel(dimension, value), maxShownLength)} />
    </>
  );
}

const maxShownLength = 120;

const unknownWords: Readonly<Record<NonNullable<AlertReadingView['because']>, string>> = {
  incomplete: 'Days are missing or incomplete',
  'no-value': 'The service sent no figure for these days',
  'nothing-before': 'Nothing to compare with in the days before',
  'not-computed': 'The figures of these days could not be computed',
  'address-changed': 'Switched off because the address of this profile changed',
};

function ReadingWords({ rule, reading }: { rule: AlertRule; reading: AlertReadingView }): ReactElement {
  const { kind, because, range } = reading;
  const days = range === null ? '' : ` (${rangeText(range)})`;
  if (because !== null) return <span>{`${unknownWords[because]}${days} · `}</span>;
  if (kind === 'too-little') return <span>{`Less than the minimum volume${days} · `}</span>;
  return (
    <>
      <Values rule={rule} {...reading} />
      <span>{`${days} · `}</span>
    </>
  );
}

function Values(props: { rule: AlertRule; now: string | null; before: string | null }): ReactElement {
  const formats = useFormats();
  const { rule, now, before } = props;
  const text = (value: string | null): string => metricText(rule.source.kind, rule.metric, value, formats);
  return <span>{before === null ? text(now) : `${text(before)} → ${text(now)}`}</span>;
}

function AlertHistory({ events }: { events: readonly AlertEvent[] }): ReactElement | null {
  const formats = useFormats();
  const nowMs = useNow(60_000);
  if (events.length === 0) return null;
  return (
    <section aria-label="History">
      <h2 className={common.heading}>History</h2>
      <ul>
        {events.map((event) => (
          <li key={event.id} className={styles.item}>
            <span className={styles.itemName}>
              <Pill
                tone={event.kind === 'crossed' ? 'bad' : 'good'}
                label={event.kind === 'crossed' ? 'Crossed' : 'Recovered'}
              />{' '}
              {alertTitle(event.rule.source.kind, event.rule, formats)}
              <div className={styles.quiet}>
                <Scope rule={event.rule} /> · <Values {...event} /> ({rangeText(event.range)})
              </div>
            </span>
            <time className={styles.quiet} title={formats.moment(event.atMs)}>
              {formats.shortMoment(event.atMs, nowMs)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
