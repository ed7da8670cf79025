import type { BulkForm, BulkSubject } from '#renderer/stores/bulk/bulk-form.ts';
import { bulkFileStore } from '#renderer/stores/bulk/bulk-file-store.ts';
import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { serviceToday, sessionStore } from '#renderer/stores/session-store.ts';
import {
  Button,
  RadioGroup,
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
import {
  AmountPart,
  change,
  FormBox,
  FormText,
  MembersPart,
  noAmount,
  PastePart,
  SetPart,
  useBulkForm,
} from './set-part.tsx';

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

const parts: Readonly<Record<BulkSubject, () => ReactElement | null>> = {
  payout: () => <AmountPart field="payout" />,
  d_revenue: () => <AmountPart field="d_revenue" />,
  t_revenue: () => <AmountPart field="t_revenue" />,
  field: SetPart,
  text: TextPart,
  members: MembersPart,
  schedule: SchedulePart,
  flight: FlightPart,
  status: StatusPart,
  file: FilePart,
  paste: PastePart,
};

export function EditForm(): ReactElement {
  const subject = useStore(bulkStore, (state) => state.form.subject);
  const hasFile = useStore(bulkFileStore, (state) => state.read !== null);
  const Part = parts[subject];
  return (
    <>
      <div className={styles.kinds}>
        <RadioGroup
          label="Change"
          value={subject}
          options={hasFile ? [{ id: 'file', label: 'Changes from the file' }, ...subjects] : subjects}
          onChange={(id) => change({ subject: id as BulkSubject, ...noAmount })}
        />
      </div>
      <Part />
    </>
  );
}

function TextPart(): ReactElement {
  const { form, errorOf } = useBulkForm();
  const failure = useStore(bulkStore, (state) => state.failure);
  const isAboutPattern = failure?.code === 'pattern_too_slow' || failure?.code === 'pattern_invalid';
  return (
    <>
      <FormText
        name="find"
        label="Find"
        error={isAboutPattern ? `${failure.message} ${failure.next}` : undefined}
      />
      <FormText
        name="replacement"
        label="Replace with"
        limit={form.isPattern ? '$1 stands for the first group' : undefined}
      />
      <CheckboxGroup
        label="In"
        options={textFields.map((id) => ({ id, label: fieldLabel(id) }))}
        chosen={form.textFields}
        error={errorOf('textFields')}
        onChange={(fields) => change({ textFields: fields })}
      />
      <FormBox name="matchesCase" label="Match case" />
      <FormBox name="isPattern" label="Regular expression" />
    </>
  );
}

function SchedulePart(): ReactElement {
  const { form, errorOf } = useBulkForm();
  const copied = useStore(besideStore, (state) => state.week);
  const isReplacing = form.hoursChange === 'replace';
  const choose = (hours: readonly number[]): void => change({ hours });
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
      <WeekTools hours={form.hours} onChoose={({ hours }) => choose(hours)} onInvert={choose}>
        {copied !== null && (
          <Button
            size="small"
            title={`Copied from ${quotedStart(copied.from, 60)}`}
            onClick={() => choose(copied.hours)}
          >
            Paste week
          </Button>
        )}
      </WeekTools>
      <div className={styles.week}>
        <WeekGrid label="Hours of the week" hours={form.hours} before={form.hours} onChange={choose} />
      </div>
      <p className={common.quiet}>
        {hoursOn(form.hours)} of 168 hours chosen
        {isReplacing ? '' : <span>, in each campaign’s own zone</span>}
      </p>
      <FieldError text={errorOf('hours')} />
      {isReplacing && <FormText name="zone" label="Time zone" placeholder="Each campaign’s own" />}
    </>
  );
}

const dateFields = {
  end: { label: 'Last day', placeholder: '31 Dec, +14d, Sun' },
  start: { label: 'First day', placeholder: '31 Dec, Sun' },
  both: { label: 'Move by', placeholder: '+14d, -1w' },
  none: null,
};

function FlightPart(): ReactElement {
  const formats = useFormats();
  const { form, errorOf } = useBulkForm();
  const today = serviceToday(sessionStore.getState());
  const { flight, date } = form;
  const read = readTypedDate(date, today);
  const limit =
    read.kind === 'date'
      ? dayAndDateText(read.date)
      : read.kind === 'shift'
        ? shiftInWords(read.days, formats)
        : undefined;
  const field = dateFields[flight];
  return (
    <>
      <RadioGroup
        label="Start and end"
        value={flight}
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

function StatusPart(): ReactElement {
  const { form } = useBulkForm();
  return (
    <RadioGroup
      label="Status"
      value={String(form.status)}
      options={statuses.map((status) => ({ id: String(status), label: statusVerb(status) }))}
      onChange={(id) => change({ status: Number(id) as BulkForm['status'] })}
    />
  );
}
