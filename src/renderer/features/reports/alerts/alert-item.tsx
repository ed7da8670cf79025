import { useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { alertsStore } from '#renderer/stores/alerts-store.ts';
import {
  useFormats,
  ageText,
  Banner,
  Button,
  Checkbox,
  ForeignText,
  IconButton,
  Pill,
  removedPassFocus,
  useNow,
  type PillTone,
} from '#renderer/ui/index.ts';
import type { AlertEvent, AlertReadingView, AlertRule, AlertView } from '#shared/app-api/index.ts';
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
import styles from '../panels.module.css';

export interface AlertItemProps {
  alert: AlertView;
  onEdit: () => void;
  /** Finds the control that adds an alert: it gets the focus of the last one that is deleted. */
  adds: () => HTMLElement | null;
}

/** The id of the button that edits an alert. */
export const editButtonId = (alertId: string): string => `edit-alert-${alertId}`;

/** One alert: its rule, state, last figures, and switch. */
export function AlertItem({ alert, onEdit, adds }: AlertItemProps): ReactElement {
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
    if (opener.current) await removedPassFocus(opener.current, () => remove(id), adds);
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
          ></Banner>
        )}
      </span>
      <span className={styles.itemActions}>
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

/** Crossings and recoveries, the newest first. */
export function AlertHistory({ events }: { events: readonly AlertEvent[] }): ReactElement | null {
  const formats = useFormats();
  const nowMs = useNow(60_000);
  if (events.length === 0) return null;
  return (
    <section aria-label="History">
      <h2 className={styles.heading}>History</h2>
      <ul className={styles.list}>
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
