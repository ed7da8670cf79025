import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { DefinitionList, Pill, RunningDays, useNow } from '#renderer/ui/index.ts';
import {
  campaignFields,
  daysIn,
  decodeSchedule,
  isTimeZone,
  nextStart,
  runningNow,
  runningWeek,
  serviceDay,
  type RunningNow,
} from '#shared/campaign/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { dateText } from '#shared/lib/date-text.ts';
import { type ReactElement, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Editing } from '../editing.ts';
import styles from '../editor.module.css';

const minuteMs = 60_000;
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The next seven days with the draft, as the clocks will show them: in the campaign's zone and on this computer. */
export function RunningWeek({ editing }: { editing: Editing }): ReactElement {
  const serviceZone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const nowMs = useNow(minuteMs) + useStore(sessionStore, serviceAheadMs);
  const minute = Math.floor(nowMs / minuteMs) * minuteMs;
  // The grid comes first: this follows when there is time.
  const campaign = useDeferredValue(editing.payload);
  const zoneField = campaign['shedule_timezone'];
  const zone = typeof zoneField === 'string' && isTimeZone(zoneField) ? zoneField : serviceZone;
  const view = useMemo(() => {
    const clocks = { nowMs: minute, serviceZone };
    const week = runningWeek(campaign, clocks);
    return {
      hours: week.hours,
      now: runningNow(campaign, clocks),
      startMs: nextStart(campaign, clocks),
      days: daysIn(week, zone),
      ownDays: ownZone === zone ? null : daysIn(week, ownZone),
    };
  }, [campaign, minute, serviceZone, zone]);
  const unknown = unknownBecause(editing);
  if (unknown !== null)
    return (
      <section className={styles.runningWeek} aria-label="The next seven days">
        <h3 className={styles.groupTitle}>The next seven days</h3>
        <p className={styles.hint}>{unknown}</p>
      </section>
    );
  const status = Number(campaign['status']);
  const statusName = isStatusCode(status) ? statusNames[status] : `status ${status}`;
  const isStopped = view.now === 'stopped';
  return (
    <section className={styles.runningWeek} aria-label="The next seven days">
      <h3 className={styles.groupTitle}>The next seven days</h3>
      <DefinitionList
        items={[
          {
            key: 'now',
            term: 'Runs now',
            value: (
              <>
                <Pill
                  tone={view.now === 'runs' ? 'good' : 'neutral'}
                  label={view.now === 'runs' ? 'Yes' : 'No'}
                />{' '}
                <span>{reasons[view.now](statusName)}</span>
              </>
            ),
          },
          {
            key: 'start',
            term: 'Next start',
            value:
              view.startMs === null
                ? view.hours === 168
                  ? 'None: always on'
                  : 'None'
                : `${startText(view.startMs, zone)}${isStopped ? `, if it is active by then` : ''}`,
          },
          {
            key: 'hours',
            term: 'Hours',
            value: `${view.hours === 168 ? 'Always' : `${view.hours} of the next 168`}${isStopped ? `; none while ${statusName}` : ''}`,
          },
        ]}
      />
      <RunningDays title={zone} days={view.days} />
      {view.ownDays !== null && <RunningDays title={`${ownZone} (your time)`} days={view.ownDays} />}
    </section>
  );
}

/** The reason why nothing can be said of the hours, or null: what cannot be read would count as no limit. */
function unknownBecause({ payload, errorAt }: Editing): string | null {
  const isFlightWrong = campaignFields.flight.some((field) => errorAt.has(field));
  if (payload['enable_time'] === 1 && isFlightWrong) return 'Not known until start and end are valid.';
  if (payload['enable_shedule'] !== 1) return null;
  const zone = payload['shedule_timezone'];
  if (typeof zone !== 'string' || !isTimeZone(zone)) return 'Not known until the time zone is valid.';
  return decodeSchedule(payload['shedule']) === null ? 'Not known: the schedule has an unknown shape.' : null;
}

const reasons: Readonly<Record<RunningNow, (status: string) => string>> = {
  runs: () => 'Flight and schedule let it run.',
  stopped: (status) => `The campaign is ${status}.`,
  'not-started': () => 'Its flight has not begun.',
  over: () => 'Its flight is over.',
  'hour-off': () => 'This hour is off in its schedule.',
  'no-hours': () => 'Its schedule has no hour.',
};

/** `Mon, 24 Nov, 08:00 (Europe/Berlin); 02:00 your time`. */
function startText(atMs: number, zone: string): string {
  const [there, here] = [serviceDay(atMs, zone), serviceDay(atMs, ownZone)];
  const year = new Date(atMs).getUTCFullYear();
  const own =
    here.time === there.time && here.date === there.date
      ? ''
      : `; ${here.date === there.date ? '' : `${dateText(here.date, year)}, `}${here.time} your time`;
  return `${dateText(there.date, year)}, ${there.time} (${zone})${own}`;
}
