import { type BulkForm, type BulkSubject, readForm } from '#renderer/stores/bulk/bulk-form.ts';
import { bulkFileStore } from '#renderer/stores/bulk/bulk-file-store.ts';
import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { serviceToday, sessionStore } from '#renderer/stores/session-store.ts';
import {
  Button,
  Checkbox,
  NativeSelect,
  RadioGroup,
  TextField,
  useFormats,
  WeekGrid,
  WeekTools,
  CheckboxGroup,
  FieldError,
  common,
} from '#renderer/ui/index.ts';
import { DateField } from '#renderer/ui/report/index.ts';
import { statusVerb } from '#shared/wording/index.ts';
import { fieldLabel, hoursOn } from '#shared/campaign/index.ts';
import { readTypedDate, shiftInWords, textFields } from '#shared/drafts/index.ts';
import { dayAndDateText } from '#shared/lib/date-text.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './bulk.module.css';
import { FilePart } from './file-part.tsx';
import { AmountPart, MembersPart, noAmount, type PartProps, PastePart, SetPart } from './set-part.tsx';

const subjects: { id: BulkSubject; label: string }[] = [
  { id: 'payout', label: 'Bid' },
  { id: 'd_revenue', label: 'Daily budget' },
  { id: 't_revenue', label: 'Total budget' },
  { id: 'field', label: 'Set a field' },
  { id: 'text', label: 'Find and replace' },
  { id: 'members', label: 'Targeting, filters and keywords' },
  { id: 'schedule', label: 'Weekly schedule' },
  { id: 'flight', label: 'Start and end' },
  { id: 'status', label: 'Status' },
  { id: 'paste', label: 'Copy from another campaign' },
];

export function EditForm(): ReactElement {
  const form = useStore(bulkStore, (state) => state.form);
  const hasFile = useStore(bulkFileStore, (state) => state.read !== null);
  const read = readForm(form, serviceToday(sessionStore.getState()));
  const errorOf: PartProps['errorOf'] = (field) =>
    read.kind === 'wrong' && read.field === field ? read.message : undefined;
  const parts = { form, errorOf };
  return (
    <>
      <NativeSelect
        label="Change"
        value={form.subject}
        options={hasFile ? [{ id: 'file', label: 'Changes from the file' }, ...subjects] : subjects}
        onChange={(id) => bulkStore.getState().change({ subject: id as BulkSubject, ...noAmount })}
      />
      <Part {...parts} />
    </>
  );
}

function Part({ form, errorOf }: PartProps): ReactElement {
  switch (form.subject) {
    case 'payout':
    case 'd_revenue':
    case 't_revenue':
      return <AmountPart form={form} errorOf={errorOf} field={form.subject} />;
    case 'field':
      return <SetPart form={form} errorOf={errorOf} />;
    case 'text':
      return <TextPart form={form} errorOf={errorOf} />;
    case 'members':
      return <MembersPart form={form} errorOf={errorOf} />;
    case 'schedule':
      return <SchedulePart form={form} errorOf={errorOf} />;
    case 'flight':
      return <FlightPart form={form} errorOf={errorOf} />;
    case 'status':
      return <StatusPart form={form} />;
    case 'file':
      return <FilePart />;
    case 'paste':
      return <PastePart form={form} errorOf={errorOf} />;
  }
}

const { change } = bulkStore.getState();

function TextPart({ form, errorOf }: PartProps): ReactElement {
  const failure = useStore(bulkStore, (state) => state.failure);
  const isAboutPattern = failure?.code === 'pattern_too_slow' || failure?.code === 'pattern_invalid';
  return (
    <>
      <TextField
        label="Find"
        value={form.find}
        error={isAboutPattern ? `${failure.message} ${failure.next}` : undefined}
        onChange={(find) => change({ find })}
      />
      <TextField
        label="Replace with"
        value={form.replacement}
        limit={form.isPattern ? '$1 stands for the first group' : undefined}
        onChange={(replacement) => change({ replacement })}
      />
      <CheckboxGroup
        label="In"
        options={textFields.map((id) => ({ id, label: fieldLabel(id) }))}
        chosen={form.textFields}
        error={errorOf('textFields')}
        onChange={(fields) => change({ textFields: fields })}
      />
      <Checkbox
        label="Match case"
        checked={form.matchesCase}
        onChange={(matchesCase) => change({ matchesCase })}
      />
      <Checkbox
        label="Regular expression"
        checked={form.isPattern}
        onChange={(isPattern) => change({ isPattern })}
      />
    </>
  );
}

function SchedulePart({ form, errorOf }: PartProps): ReactElement {
  const copied = useStore(besideStore, (state) => state.week);
  const isReplacing = form.hoursChange === 'replace';
  return (
    <>
      <RadioGroup
        label="Hours"
        value={form.hoursChange}
        options={[
          { id: 'replace', label: 'Run in these hours only' },
          { id: 'add', label: 'Also run in these hours' },
          { id: 'remove', label: 'Do not run in these hours' },
        ]}
        onChange={(id) => change({ hoursChange: id as BulkForm['hoursChange'] })}
      />
      <WeekTools
        hours={form.hours}
        onChoose={({ hours }) => change({ hours })}
        onInvert={(hours) => change({ hours })}
      >
        {copied !== null && (
          <Button
            size="small"
            title={`Copied from ${quotedStart(copied.from, 60)}`}
            onClick={() => change({ hours: copied.hours })}
          >
            Paste week
          </Button>
        )}
      </WeekTools>
      <div className={styles.week}>
        <WeekGrid
          label="Hours of the week"
          hours={form.hours}
          before={form.hours}
          onChange={(hours) => change({ hours })}
        />
      </div>
      <p className={common.quiet}>
        {hoursOn(form.hours)} of 168 hours chosen
        {isReplacing ? '' : <span>, in each campaign’s own zone</span>}
      </p>
      <FieldError text={errorOf('hours')} />
      {isReplacing && (
        <TextField
          label="Time zone"
          value={form.zone}
          placeholder="Each campaign’s own"
          onChange={(zone) => change({ zone })}
        />
      )}
    </>
  );
}

const flightFields = { end: 'Last day', start: 'First day', both: 'Move by' } as const;
const flightPlaceholders = { end: '31 Dec, +14d, Sun', start: '31 Dec, Sun', both: '+14d, -1w' } as const;

function FlightPart({ form, errorOf }: PartProps): ReactElement {
  const formats = useFormats();
  const today = serviceToday(sessionStore.getState());
  const { flight, date } = form;
  const read = readTypedDate(date, today);
  const limit =
    read.kind === 'date'
      ? dayAndDateText(read.date)
      : read.kind === 'shift'
        ? shiftInWords(read.days, formats)
        : undefined;
  const field =
    flight === 'none' ? null : { label: flightFields[flight], placeholder: flightPlaceholders[flight] };
  return (
    <>
      <RadioGroup
        label="Start and end"
        value={form.flight}
        options={[
          { id: 'end', label: 'End' },
          { id: 'start', label: 'Start' },
          { id: 'both', label: 'Start and end' },
          { id: 'none', label: 'No end' },
        ]}
        onChange={(id) => change({ flight: id as BulkForm['flight'], date: '' })}
      />
      {field !== null && (
        <DateField
          {...field}
          value={date}
          today={read.kind === 'date' ? read.date : today}
          limit={errorOf('date') === undefined ? limit : undefined}
          error={errorOf('date')}
          onChange={(typed) => change({ date: typed })}
        />
      )}
    </>
  );
}

const statuses = [3, 1, 4, 2] as const;

function StatusPart({ form }: Pick<PartProps, 'form'>): ReactElement {
  return (
    <RadioGroup
      label="Status"
      value={String(form.status)}
      options={statuses.map((status) => ({ id: String(status), label: statusVerb(status) }))}
      onChange={(id) => change({ status: statuses.find((status) => String(status) === id) ?? 3 })}
    />
  );
}
