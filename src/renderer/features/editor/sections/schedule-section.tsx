import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { Banner, Button, Disclosure, ForeignText, Mono, WeekGrid, WeekTools } from '#renderer/ui/index.ts';
import { decodeSchedule, fieldLabel, hoursOn } from '#shared/campaign/index.ts';
import { type DraftedField, draftOfHours, draftToSet } from '#shared/drafts/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { changeFields, draftedField, type Editing, nameOf, setField } from '../editing.ts';
import { EditChoice } from '../fields/edit-fields.tsx';
import { FieldBlock, frameOf, WasNote } from '../fields/field-block.tsx';
import styles from '../editor.module.css';
import { ZoneField } from '../fields/zone-field.tsx';
import { RunningWeek } from './running-week.tsx';

const field = 'shedule';

/** The hours of the week in which the campaign may run, and what comes of them. */
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
            {!isOn && <p className={styles.hint}>All hours run. Choosing hours switches the schedule on.</p>}
            <SetWeek editing={editing} week={week} />
            <WeekGrid
              label={fieldLabel(field)}
              hours={week}
              before={stored}
              disabled={editing.proposalId !== null}
              onChange={(hours) => paint(editing, hours)}
            />
            <p className={styles.hint} role="status">
              {hoursOn(week)} of 168 hours on.
              {editing.changed.includes(field) && (
                <>
                  <span> </span>
                  <WasNote editing={editing} field={field} />
                </>
              )}
            </p>
            {frameOf(editing, field).error !== undefined && (
              <p className={styles.error} role="alert">
                {frameOf(editing, field).error}
              </p>
            )}
          </FieldBlock>
        )}
        <RunningWeek editing={editing} />
      </div>
    </>
  );
}

/** Drafts painted hours. A schedule that is off is switched on with them: they would mean nothing otherwise. */
function paint(editing: Editing, hours: number[]): void {
  change(editing, 'Scheduled hours', (drafted) => draftOfHours(drafted, hours));
}

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
  /** A named week is the week itself, whatever is stored. */
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
