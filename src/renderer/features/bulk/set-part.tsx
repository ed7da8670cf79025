import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { maxLengths, type OtherField } from '#renderer/stores/bulk/bulk-form.ts';
import { NativeSelect, RadioGroup, TextField } from '#renderer/ui/index.ts';
import { fieldGroups, fieldLabel } from '#shared/campaign/index.ts';
import { type SetField, setKinds } from '#shared/drafts/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { AmountPart, noAmount, type PartProps } from './amount-part.tsx';

const counts = ['freq_counter', 'traffic_speed_counter'] as const;

const isOther = (field: string): field is OtherField =>
  Object.hasOwn(setKinds, field) || counts.some((count) => count === field);

/** In the order of the contract, like the sections of the editor. */
const fields = fieldGroups.flatMap((group) => group.fields).filter(isOther);

/** One field that gets the same value everywhere, in the control of its kind. */
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

/** Texts of the controls that take one. */
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
