import { reviewStore } from '#renderer/stores/review-store.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { fieldOf, type FormErrors, type ReportForm } from '#renderer/stores/schedules/report-form.ts';
import { schedulesStore } from '#renderer/stores/schedules/schedules-store.ts';
import {
  Banner,
  Button,
  Dialog,
  NumberField,
  RadioGroup,
  NativeSelect,
  TextField,
  useNow,
  common,
  CheckboxGroup,
} from '#renderer/ui/index.ts';
import { DateField } from '#renderer/ui/report/index.ts';
import { isTimeZone, serviceDay } from '#shared/campaign/index.ts';
import { readDay } from '#shared/drafts/index.ts';
import { dayAndDateText } from '#shared/lib/date-text.ts';
import type { SchedulesView } from '#shared/app-api/index.ts';
import { maxReportDays, taskWeekdays, type TaskWeekday } from '#shared/contract/index.ts';
import { useEffect, useRef, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { localZone } from './schedule-words.ts';
import styles from './schedules.module.css';

interface FieldsProps {
  form: ReportForm;
  errors: FormErrors;
  sources: SchedulesView['sources'];
  zone: string;
}

const edit = (change: Partial<ReportForm>): void => schedulesStore.getState().edit(change);

export function ReportDialog(props: FieldsProps): ReactElement {
  const { errors } = props;
  const { doing, refusal } = useStore(schedulesStore);
  const { closeForm } = schedulesStore.getState();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);

  async function propose(event: FormEvent): Promise<void> {
    event.preventDefault();
    const id = await schedulesStore.getState().propose();
    if (id !== null) await reviewStore.getState().review(id);
  }

  const failure = refusal?.of.kind === 'propose' ? refusal.failure : null;
  const unplaced = failure?.fields.filter(({ field }) => fieldOf(field) === null) ?? [];
  const isWhole = failure !== null && (unplaced.length > 0 || Object.keys(errors).length === 0);
  return (
    <Dialog title="Schedule a report" onClose={closeForm}>
      <form ref={form} className={common.stack4} noValidate onSubmit={(event) => void propose(event)}>
        {isWhole && (
          <Banner tone="danger" title={failure.message}>
            Nothing was scheduled.{' '}
            {unplaced.length > 0 ? unplaced.map(({ message }) => message).join(' ') : failure.next}
          </Banner>
        )}
        <What {...props} />
        <When {...props} />
        <div className={styles.foot}>
          <Button onClick={closeForm}>Discard</Button>
          <Button kind="primary" type="submit" disabled={doing !== null}>
            {doing?.kind === 'propose' ? 'Preparing…' : 'Review schedule'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function textField(
  { form, errors }: FieldsProps,
  name: 'tid' | 'sid' | 'lastDays' | 'time' | 'zone' | 'name',
) {
  return {
    value: form[name],
    error: errors[name],
    onChange: (value: string) => edit({ [name]: value }),
  };
}

function What(props: FieldsProps): ReactElement {
  const { form, sources } = props;
  const cutDays = useStore(schedulesStore, (state) => state.cutDays);
  const isXml = form.report === 'xml';
  return (
    <>
      <RadioGroup
        label="Report"
        value={form.report}
        options={[
          { id: 'xml', label: 'XML traffic' },
          { id: 'search', label: 'Search' },
        ]}
        onChange={(report) => edit({ report: report === 'search' ? 'search' : 'xml' })}
      />
      <div className={styles.row}>
        {isXml ? (
          <SourceField label="Traffic source" known={sources?.tids ?? null} {...textField(props, 'tid')} />
        ) : (
          <SourceField
            label="Feed"
            known={sources?.sids ?? null}
            every="Every feed"
            {...textField(props, 'sid')}
          />
        )}
        {isXml && (
          <NativeSelect
            label="Grouped by"
            value={form.groupBy}
            options={[
              { id: 'day', label: 'Day' },
              { id: 'geo', label: 'Country' },
              { id: 'subid', label: 'Sub-ID' },
            ]}
            onChange={(groupBy) => edit({ groupBy: groupBy as ReportForm['groupBy'] })}
          />
        )}
      </div>
      <div className={styles.row}>
        <NumberField
          label="Days before the run"
          limit={daysLimit(cutDays)}
          {...textField(props, 'lastDays')}
        />
        <NativeSelect
          label="File format"
          value={form.format}
          options={[
            { id: 'csv', label: 'CSV' },
            { id: 'json', label: 'JSON' },
          ]}
          onChange={(format) => edit({ format: format === 'json' ? 'json' : 'csv' })}
        />
      </div>
    </>
  );
}

function daysLimit(cutDays: number | null): string {
  const cut = cutDays === null ? '' : ` (the report shows ${cutDays})`;
  return `1 – ${maxReportDays}${cut}, without the day of the run`;
}

/** A list if the service names the account's sources, else a text field. */
function SourceField(props: {
  label: string;
  value: string;
  known: readonly number[] | null;
  every?: string;
  error: string | undefined;
  onChange: (value: string) => void;
}): ReactElement {
  const { label, value, known, every, error, onChange } = props;
  if (known === null || known.length === 0) {
    const limit = every === undefined ? undefined : `Empty: ${every.toLowerCase()}`;
    return <NumberField {...{ label, value, limit, error, onChange }} />;
  }
  const ids = [...new Set([...known.map(String), ...(value === '' ? [] : [value])])];
  const options = [
    ...(every === undefined ? [] : [{ id: 'every', label: every }]),
    ...(every === undefined && value === '' ? [{ id: 'every', label: 'Choose…' }] : []),
    ...ids.map((id) => ({ id, label: id })),
  ];
  return (
    <NativeSelect
      {...{ label, options, error }}
      value={value === '' ? 'every' : value}
      onChange={(id) => onChange(id === 'every' ? '' : id)}
    />
  );
}

const dayLabels: Readonly<Record<TaskWeekday, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

function When(props: FieldsProps): ReactElement {
  const { form, errors, zone } = props;
  return (
    <>
      <div className={styles.row}>
        <NativeSelect
          label="Repeat"
          value={form.repeat}
          options={[
            { id: 'daily', label: 'Every day' },
            { id: 'weekly', label: 'Every week' },
            { id: 'once', label: 'Once' },
          ]}
          onChange={(repeat) => edit({ repeat: repeat as ReportForm['repeat'] })}
        />
        {form.repeat === 'once' && <OnceField form={form} error={errors.date} zone={zone} />}
        <TextField label="Time" placeholder="HH:MM" {...textField(props, 'time')} />
      </div>
      {form.repeat === 'weekly' && (
        <CheckboxGroup
          label="Days"
          options={taskWeekdays.map((id) => ({ id, label: dayLabels[id] }))}
          chosen={form.days}
          wide
          error={errors.days}
          onChange={(days) => edit({ days })}
        />
      )}
      <TextField
        label="Time zone"
        limit={zone === localZone ? undefined : `Profile: ${zone}; yours: ${localZone}`}
        {...textField(props, 'zone')}
      />
      <TextField label="Name" placeholder="Optional" {...textField(props, 'name')} />
    </>
  );
}

function OnceField(props: { form: ReportForm; error: string | undefined; zone: string }): ReactElement {
  const { form, error, zone } = props;
  const nowMs = useNow(60_000) + useStore(sessionStore, serviceAheadMs);
  const today = serviceDay(nowMs, isTimeZone(form.zone) ? form.zone : zone).date;
  const day = readDay(form.date, today);
  return (
    <DateField
      label="Date"
      value={form.date}
      today={'date' in day ? day.date : today}
      placeholder="31 Dec, +14d, Sun"
      limit={'date' in day ? dayAndDateText(day.date) : undefined}
      error={error}
      onChange={(date) => edit({ date })}
    />
  );
}
