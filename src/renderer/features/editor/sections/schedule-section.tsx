import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import {
  cx,
  Banner,
  Button,
  Disclosure,
  ForeignText,
  Mono,
  WeekGrid,
  WeekTools,
  DefinitionList,
  Pill,
  RunningDays,
  useNow,
  common,
  pages,
  FieldError,
} from '#renderer/ui/index.ts';
import {
  decodeSchedule,
  fieldLabel,
  hoursOn,
  campaignFields,
  daysIn,
  isTimeZone,
  nextStart,
  runningNow,
  runningHours,
  runningWeek,
  serviceDay,
  type RunningNow,
} from '#shared/campaign/index.ts';
import { type DraftedField, draftOfHours, draftToSet } from '#shared/drafts/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { type ReactElement, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { changeFields, draftedField, type Editing, nameOf, setField } from '../editing.ts';
import { EditChoice, ZoneField } from '../fields/edit-fields.tsx';
import { FieldBlock, frameOf, WasNote } from '../fields/field-block.tsx';
import styles from '../editor.module.css';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { dateText } from '#shared/lib/date-text.ts';

const field = 'shedule';

export function ScheduleSection({ editing }: { editing: Editing }): ReactElement {
  const { payload, campaign } = editing;
  const stored = decodeSchedule(campaign[field]);
  const week = decodeSchedule(payload[field]);
  const isOn = payload['enable_shedule'] === 1;
  return (
    <>
      <div className={styles.form}>
        <EditChoice
          editing={editing}
          field="enable_shedule"
          options={[
            { value: 1, label: 'On: only the chosen hours' },
            { value: 0, label: 'Off: all hours' },
          ]}
        />
        <ZoneField editing={editing} field="shedule_timezone" />
      </div>
      <div className={styles.beside}>
        {week === null || stored === null ? (
          <UnknownShape editing={editing} />
        ) : (
          <FieldBlock editing={editing} fields={[field]}>
            {!isOn && <p className={common.quiet}>All hours run. Choosing hours switches the schedule on.</p>}
            <SetWeek editing={editing} week={week} />
            <WeekGrid
              label={fieldLabel(field)}
              hours={week}
              before={stored}
              disabled={editing.proposalId !== null}
              onChange={(hours) => paint(editing, hours)}
            />
            <p className={common.quiet} role="status">
              {hoursOn(week)} of 168 hours on.
              {editing.changed.includes(field) && (
                <>
                  <span> </span>
                  <WasNote editing={editing} field={field} />
                </>
              )}
            </p>
            <FieldError text={frameOf(editing, field).error} />
          </FieldBlock>
        )}
        <RunningWeek editing={editing} />
      </div>
    </>
  );
}

function paint(editing: Editing, hours: number[]): void {
  change(editing, 'Scheduled hours', (drafted) => draftOfHours(drafted, hours));
}

/** Also switches the schedule on, because chosen hours have no effect while it is off. */
function change(
  editing: Editing,
  title: string,
  draft: (drafted: DraftedField) => ReturnType<typeof draftOfHours>,
): void {
  const on = draftToSet(draftedField(editing, 'enable_shedule'), 1);
  const isOn = editing.payload['enable_shedule'] === 1;
  changeFields(editing, title, [
    [field, draft(draftedField(editing, field))],
    ...(isOn ? [] : [['enable_shedule', on] as const]),
  ]);
}

function SetWeek({ editing, week }: { editing: Editing; week: readonly number[] }): ReactElement {
  const copied = useStore(besideStore, (state) => state.week);
  const isHeld = editing.proposalId !== null;
  const put = (title: string, hours: readonly number[]): void =>
    change(editing, title, (drafted) => draftToSet(drafted, [...hours]));
  return (
    <WeekTools
      hours={week}
      disabled={isHeld}
      onChoose={({ name, hours }) => put(`Schedule “${name}”`, hours)}
      onInvert={(hours) => paint(editing, hours)}
    >
      <Button size="small" icon="copy" onClick={() => besideStore.getState().copyWeek(week, nameOf(editing))}>
        Copy week
      </Button>
      {copied !== null && (
        <Button
          size="small"
          disabled={isHeld}
          title={`Copied from ${quotedStart(copied.from, 60)}`}
          onClick={() => put('Pasted schedule', copied.hours)}
        >
          Paste week
        </Button>
      )}
    </WeekTools>
  );
}

function UnknownShape({ editing }: { editing: Editing }): ReactElement {
  const all = Array.from({ length: 168 }, () => 1);
  return (
    <>
      <Banner tone="warning" title="This schedule has a shape that Countersign does not know.">
        It is kept unchanged unless you replace it.
      </Banner>
      <Disclosure title="As the service gave it">
        <Mono block>
          <ForeignText text={JSON.stringify(editing.campaign[field])} />
        </Mono>
      </Disclosure>
      <span>
        <Button
          size="small"
          disabled={editing.proposalId !== null}
          onClick={() => setField(editing, field, all)}
        >
          Replace with all hours
        </Button>
      </span>
    </>
  );
}

const minuteMs = 60_000;
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function RunningWeek({ editing }: { editing: Editing }): ReactElement {
  const serviceZone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const nowMs = useNow(minuteMs) + useStore(sessionStore, serviceAheadMs);
  const minute = Math.floor(nowMs / minuteMs) * minuteMs;
  // Rendering this part can wait, so that the grid reacts at once.
  const campaign = useDeferredValue(editing.payload);
  const zoneField = campaign['shedule_timezone'];
  const zone = typeof zoneField === 'string' && isTimeZone(zoneField) ? zoneField : serviceZone;
  const view = useMemo(() => {
    const clocks = { nowMs: minute, serviceZone };
    const week = runningWeek(campaign, clocks);
    return {
      hours: runningHours(campaign, clocks),
      now: runningNow(campaign, clocks),
      startMs: nextStart(campaign, clocks),
      days: daysIn(week, zone),
      ownDays: ownZone === zone ? null : daysIn(week, ownZone),
    };
  }, [campaign, minute, serviceZone, zone]);
  const unknown = unknownBecause(editing);
  const status = Number(campaign['status']);
  const statusName = isStatusCode(status) ? statusNames[status] : `status ${status}`;
  const isStopped = view.now === 'stopped';
  const next =
    view.startMs !== null
      ? `${startText(view.startMs, zone)}${isStopped ? `, if it is active by then` : ''}`
      : view.hours === 168
        ? 'None: always on'
        : 'None';
  const hours = view.hours === 168 ? 'Always' : `${view.hours} of the next 168`;
  return (
    <section className={common.stack3} aria-label="The next seven days">
      <h3 className={cx(pages.smallHeading, styles.groupTitle)}>The next seven days</h3>
      {unknown !== null ? (
        <p className={common.quiet}>{unknown}</p>
      ) : (
        <>
          <DefinitionList
            items={[
              {
                key: 'now',
                term: 'Runs now',
                value: (
                  <>
                    {view.now === 'runs' ? (
                      <Pill tone="good" label="Yes" />
                    ) : (
                      <Pill tone="neutral" label="No" />
                    )}{' '}
                    <span>{reasons[view.now](statusName)}</span>
                  </>
                ),
              },
              { key: 'start', term: 'Next start', value: next },
              {
                key: 'hours',
                term: 'Hours',
                value: `${hours}${isStopped ? `; none while ${statusName}` : ''}`,
              },
            ]}
          />
          <RunningDays title={zone} days={view.days} />
          {view.ownDays !== null && <RunningDays title={`${ownZone} (your time)`} days={view.ownDays} />}
        </>
      )}
    </section>
  );
}

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

/** For example `Mon, 24 Nov, 08:00 (Europe/Berlin); 02:00 your time`. */
function startText(atMs: number, zone: string): string {
  const [there, here] = [serviceDay(atMs, zone), serviceDay(atMs, ownZone)];
  const year = new Date(atMs).getUTCFullYear();
  const own =
    here.time === there.time && here.date === there.date
      ? ''
      : `; ${here.date === there.date ? '' : `${dateText(here.date, year)}, `}${here.time} your time`;
  return `${dateText(there.date, year)}, ${there.time} (${zone})${own}`;
}
