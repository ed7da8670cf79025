import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import {
  maxLengths,
  type OtherField,
  type BulkForm,
  pastedMembers,
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
} from '#renderer/ui/index.ts';
import { fieldGroups, fieldLabel, targetingDimensions } from '#shared/campaign/index.ts';
import {
  type SetField,
  setKinds,
  leftOutInWords,
  questionInWords,
  withAnswer,
  pasteSectionIds,
  pasteSectionTitles,
} from '#shared/drafts/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { AmountPart, noAmount, type PartProps } from './amount-part.tsx';
import styles from './bulk.module.css';
import { findCampaigns } from '#renderer/stores/campaigns/campaigns-store.ts';
import type { CampaignRow } from '#shared/contract/index.ts';

const counts = ['freq_counter', 'traffic_speed_counter'] as const;

const isOther = (field: string): field is OtherField =>
  Object.hasOwn(setKinds, field) || counts.some((count) => count === field);

/** In the order of the contract, like the sections of the editor. */
const fields = fieldGroups.flatMap((group) => group.fields).filter(isOther);

export function SetPart({ form, errorOf }: PartProps): ReactElement {
  const { change } = bulkStore.getState();
  const { field } = form;
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
        <AmountPart form={form} errorOf={errorOf} field={field} />
      ) : (
        <Value form={form} errorOf={errorOf} field={field} />
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

function Value({ form, errorOf, field }: PartProps & { field: SetField }): ReactElement {
  const { change } = bulkStore.getState();
  const types = useStore(bulkStore, (state) => state.reads?.types) ?? [];
  const onChange = (value: string): void => change({ value });
  switch (setKinds[field]) {
    case 'switch':
      return (
        <RadioGroup
          label={fieldLabel(field)}
          value={form.value}
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
          value={form.value}
          options={[
            { id: '', label: 'Choose a type' },
            ...types.map(({ code, name }) => ({ id: String(code), label: inertText(name) })),
          ]}
          onChange={onChange}
        />
      );
    default: {
      const max = maxLengths[field];
      const counter =
        max === undefined ? {} : { limit: `${codePointLength(form.value)} of ${max} characters` };
      return (
        <TextField
          label={fieldLabel(field)}
          value={form.value}
          error={errorOf('value')}
          {...hints[field]}
          {...counter}
          onChange={onChange}
        />
      );
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

export function MembersPart({ form, errorOf }: PartProps): ReactElement {
  const formats = useFormats();
  const { change } = bulkStore.getState();
  const filters = useStore(bulkStore, (state) => state.reads?.filters) ?? [];
  const dimension = targetingDimensions.find(({ list }) => list === form.list);
  const { added, leftOut, questions } = pastedMembers(form);
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
          <p className={error === undefined ? styles.hint : styles.error} role="status">
            {error ?? formats.counted(added.length, 'entry', 'entries')}
          </p>
          <PasteReport
            questions={questions.map((question) => questionInWords(question, form.answers, formats))}
            onAnswer={(index, id) => {
              const question = questions[index];
              if (question !== undefined) change({ answers: withAnswer(form.answers, question, id) });
            }}
            leftOut={leftOutInWords(leftOut, '')}
            doubtful={leftOut.filter(({ isDoubtful }) => isDoubtful).length}
            takesDoubtful={form.answers.doubtful === true}
            onTakeDoubtful={(doubtful) => change({ answers: { ...form.answers, doubtful } })}
          />
        </>
      )}
      {dimension !== undefined && form.listChange === 'add' && (
        <Checkbox
          label={`Limit campaigns that target all ${dimension.many}`}
          checked={form.limitsAll}
          onChange={(limitsAll) => change({ limitsAll })}
        />
      )}
    </>
  );
}

const searchMs = 200;

export function PastePart({ form, errorOf }: PartProps): ReactElement {
  const { change } = bulkStore.getState();
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
      <fieldset className={styles.group}>
        <legend>Sections</legend>
        {pasteSectionIds.map((id) => (
          <Checkbox
            key={id}
            label={pasteSectionTitles[id]}
            checked={form.sections.includes(id)}
            onChange={(isOn) =>
              change({
                sections: pasteSectionIds.filter((one) => (one === id ? isOn : form.sections.includes(one))),
              })
            }
          />
        ))}
        {errorOf('sections') !== undefined && (
          <p className={styles.error} role="alert">
            {errorOf('sections')}
          </p>
        )}
      </fieldset>
    </>
  );
}

function SourceSearch(): ReactElement {
  const { change } = bulkStore.getState();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; rows: readonly CampaignRow[] }>({
    query: '',
    rows: [],
  });
  // A press must not choose what an earlier text has found.
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
      <ul className={styles.found} aria-label="Campaigns to copy from">
        {rows.map(({ cid, name }) => (
          <li key={cid}>
            <button
              type="button"
              className={styles.foundEntry}
              onClick={() => change({ source: { cid, name } })}
            >
              <span className={styles.nameText}>
                <ForeignText text={name} />
              </span>
              <span className={styles.cid}>{cid}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
