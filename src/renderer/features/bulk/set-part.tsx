import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import {
  maxLengths,
  type OtherField,
  type BulkForm,
  pastedMembers,
  readForm,
  readingsOf,
} from '#renderer/stores/bulk/bulk-form.ts';
import {
  NativeSelect,
  RadioGroup,
  TextField,
  Checkbox,
  PasteReport,
  TextArea,
  useFormats,
  Button,
  ForeignText,
  SearchField,
  CampaignResults,
  CheckboxGroup,
  common,
  cx,
} from '#renderer/ui/index.ts';
import { fieldGroups, fieldLabel, targetingDimensions } from '#shared/campaign/index.ts';
import {
  type AmountField,
  type SetField,
  switchOf,
  setKinds,
  skippedInWords,
  questionInWords,
  withAnswer,
  pasteSectionIds,
  pasteSectionTitles,
} from '#shared/drafts/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { type ComponentProps, type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import styles from './bulk.module.css';
import { findCampaigns } from '#renderer/stores/campaigns/campaigns-store.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { serviceToday, sessionStore } from '#renderer/stores/session-store.ts';

export const { change } = bulkStore.getState();

export function useBulkForm(): {
  form: BulkForm;
  errorOf: (field: keyof BulkForm) => string | undefined;
} {
  const form = useStore(bulkStore, (state) => state.form);
  const read = readForm(form, serviceToday(sessionStore.getState()));
  const errorOf = (field: keyof BulkForm): string | undefined =>
    read.kind === 'wrong' && read.field === field ? read.message : undefined;
  return { form, errorOf };
}

interface FormTextProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> {
  name: 'amount' | 'floor' | 'cap' | 'value' | 'find' | 'replacement' | 'zone';
}

export function FormText({ name, ...field }: FormTextProps): ReactElement {
  const { form, errorOf } = useBulkForm();
  return (
    <TextField
      value={form[name]}
      error={errorOf(name)}
      {...field}
      onChange={(value) => change({ [name]: value })}
    />
  );
}

interface FormBoxProps {
  name: 'turnsOn' | 'isPattern' | 'matchesCase' | 'limitsAll';
  label: string;
}

export function FormBox({ name, label }: FormBoxProps): ReactElement {
  const checked = useStore(bulkStore, ({ form }) => form[name]);
  return <Checkbox label={label} checked={checked} onChange={(isOn) => change({ [name]: isOn })} />;
}

/** Amounts are cleared when another field is chosen. Otherwise a typed bid would become a budget. */
export const noAmount: Pick<BulkForm, 'amount' | 'floor' | 'cap'> = { amount: '', floor: '', cap: '' };

const amountHints: Readonly<Partial<Record<AmountField, string>>> = {
  freq_counter: '3, +50%, -1',
  traffic_speed_counter: '2000, +10%, -500',
};

export function AmountPart({ field }: { field: AmountField }): ReactElement {
  const amount = useStore(bulkStore, ({ form }) => form.amount);
  const flag = switchOf(field);
  const readings = readingsOf(amount);
  return (
    <>
      <FormText
        name="amount"
        label="Amount"
        placeholder="+10%"
        limit={amountHints[field] ?? '0.045, +10%, -0.01'}
      />
      {readings.length > 0 && (
        <div className={common.row2}>
          {readings.map((reading) => (
            <Button key={reading} size="small" onClick={() => change({ amount: String(reading) })}>
              {String(reading)}
            </Button>
          ))}
        </div>
      )}
      <div className={styles.pair}>
        <FormText name="floor" label="At least" placeholder="No floor" />
        <FormText name="cap" label="At most" placeholder="No cap" />
      </div>
      {flag !== undefined && (
        <FormBox
          name="turnsOn"
          label={`Turn ${fieldLabel(flag).toLowerCase()} on where ${flag === 'enable_budget' ? 'they are' : 'it is'} off`}
        />
      )}
    </>
  );
}

const counts = ['freq_counter', 'traffic_speed_counter'] as const;

const isOther = (field: string): field is OtherField =>
  Object.hasOwn(setKinds, field) || counts.some((count) => count === field);

/** In the order of the contract, which is also the order of the editor's sections. */
const fields = fieldGroups.flatMap((group) => group.fields).filter(isOther);

export function SetPart(): ReactElement {
  const field = useStore(bulkStore, ({ form }) => form.field);
  return (
    <>
      <NativeSelect
        label="Field"
        value={field}
        options={fields.map((id) => ({ id, label: fieldLabel(id) }))}
        onChange={(id) =>
          change({ field: fields.find((one) => one === id) ?? field, value: '', ...noAmount })
        }
      />
      {field === 'freq_counter' || field === 'traffic_speed_counter' ? (
        <AmountPart field={field} />
      ) : (
        <Value field={field} />
      )}
    </>
  );
}

const hints: Readonly<Partial<Record<SetField, { placeholder?: string; limit?: string }>>> = {
  clickurl: { placeholder: 'https://…', limit: 'Macros of the service are kept as they are' },
  website: { placeholder: 'https://…' },
  create_time: { placeholder: '00:00', limit: 'HH:MM, on the service’s clock' },
  expire_time: { placeholder: '23:59', limit: 'HH:MM, on the service’s clock' },
  shedule_timezone: { placeholder: 'Europe/Berlin', limit: 'A name like Europe/Berlin or UTC' },
};

function Value({ field }: { field: SetField }): ReactElement {
  const current = useStore(bulkStore, ({ form }) => form.value);
  const types = useStore(bulkStore, (state) => state.reads?.types) ?? [];
  const onChange = (value: string): void => change({ value });
  switch (setKinds[field]) {
    case 'switch':
      return (
        <RadioGroup
          label={fieldLabel(field)}
          value={current}
          options={[
            { id: '1', label: 'On', ...switchHint(field, 1) },
            { id: '0', label: 'Off', ...switchHint(field, 0) },
          ]}
          onChange={onChange}
        />
      );
    case 'type':
      return (
        <NativeSelect
          label={fieldLabel(field)}
          value={current}
          options={[
            { id: '', label: 'Choose a type' },
            ...types.map(({ code, name }) => ({ id: String(code), label: inertText(name) })),
          ]}
          onChange={onChange}
        />
      );
    default: {
      const max = maxLengths[field];
      const counter = max === undefined ? {} : { limit: `${codePointLength(current)} of ${max} characters` };
      return <FormText name="value" label={fieldLabel(field)} {...hints[field]} {...counter} />;
    }
  }
}

const offHints: Readonly<Partial<Record<SetField, string>>> = {
  enable_budget: 'Spending is unlimited.',
  enable_time: 'No start, no end.',
  enable_shedule: 'Every hour.',
};

const onHints: Readonly<Partial<Record<SetField, string>>> = {
  freq_cap: 'A count that is too small becomes 1.',
  traffic_speed: 'A count that is too small becomes 1,000.',
};

function switchHint(field: SetField, value: 0 | 1): { hint?: string } {
  const hint = (value === 1 ? onHints : offHints)[field];
  return hint === undefined ? {} : { hint };
}

const targeting = targetingDimensions.map(({ list }) => ({ id: list, label: fieldLabel(list) }));

export function MembersPart(): ReactElement {
  const formats = useFormats();
  const { form, errorOf } = useBulkForm();
  const filters = useStore(bulkStore, (state) => state.reads?.filters) ?? [];
  const dimension = targetingDimensions.find(({ list }) => list === form.list);
  const { added, skipped, questions } = pastedMembers(form);
  const error = errorOf('entries');
  return (
    <>
      <NativeSelect
        label="List"
        value={form.list}
        options={[
          ...targeting,
          ...filters.map(({ field, label, campaigns }) => ({
            id: field,
            label: `${label} (${formats.counted(campaigns, 'campaign')})`,
          })),
        ]}
        onChange={(list) =>
          change({ list, answers: {}, ...(form.listChange === 'all' && { listChange: 'add' }) })
        }
      />
      <RadioGroup
        label="Entries"
        value={form.listChange}
        options={[
          { id: 'add', label: 'Add' },
          { id: 'remove', label: 'Remove' },
          { id: 'replace', label: 'Replace the list' },
          ...(dimension === undefined ? [] : [{ id: 'all', label: `Target all ${dimension.many}` }]),
        ]}
        onChange={(id) => change({ listChange: id as BulkForm['listChange'] })}
      />
      {form.listChange !== 'all' && (
        <>
          <TextArea
            label="Paste entries"
            rows={7}
            value={form.entries}
            limit="Separated by lines, commas, semicolons or tabs"
            onChange={(entries) => change({ entries, answers: {} })}
          />
          <p className={cx(common.small, error === undefined ? common.soft : common.bad)} role="status">
            {error ?? formats.counted(added.length, 'entry', 'entries')}
          </p>
          <PasteReport
            questions={questions.map((question) => questionInWords(question, form.answers, formats))}
            onAnswer={(index, id) => {
              const question = questions[index];
              if (question !== undefined) change({ answers: withAnswer(form.answers, question, id) });
            }}
            skipped={skippedInWords(skipped, '')}
            doubtful={skipped.filter(({ isDoubtful }) => isDoubtful).length}
            takesDoubtful={form.answers.acceptsDoubtful === true}
            onTakeDoubtful={(doubtful) => change({ answers: { ...form.answers, acceptsDoubtful: doubtful } })}
          />
        </>
      )}
      {dimension !== undefined && form.listChange === 'add' && (
        <FormBox name="limitsAll" label={`Limit campaigns that target all ${dimension.many}`} />
      )}
    </>
  );
}

const searchMs = 200;

export function PastePart(): ReactElement {
  const { form, errorOf } = useBulkForm();
  return (
    <>
      {form.source === null ? (
        <SourceSearch />
      ) : (
        <div className={styles.source}>
          <span>
            From <ForeignText text={form.source.name} /> ({form.source.cid})
          </span>
          <Button size="small" onClick={() => change({ source: null })}>
            Change
          </Button>
        </div>
      )}
      <CheckboxGroup
        label="Sections"
        options={pasteSectionIds.map((id) => ({ id, label: pasteSectionTitles[id] }))}
        chosen={form.sections}
        error={errorOf('sections')}
        onChange={(sections) => change({ sections })}
      />
    </>
  );
}

function SourceSearch(): ReactElement {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; rows: readonly CampaignRow[] }>({
    query: '',
    rows: [],
  });
  // Rows of an earlier query are hidden, so that a press never chooses one of them.
  const rows = found.query === query ? found.rows : [];
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      void findCampaigns(query).then((answer) => {
        if (isWanted) setFound({ query, rows: answer });
      });
    }, searchMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query]);
  return (
    <>
      <SearchField label="Copy from" placeholder="Name or ID" value={query} onChange={setQuery} />
      <CampaignResults
        label="Campaigns to copy from"
        campaigns={rows}
        onChoose={({ cid, name }) => change({ source: { cid, name } })}
      />
    </>
  );
}
