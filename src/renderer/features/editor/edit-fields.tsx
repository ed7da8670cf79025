import type { EditableField } from '#renderer/stores/editor/index.ts';
import { ForeignText, LinkButton, NumberField, Select, TextField } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import type { ReactElement, ReactNode } from 'react';
import type { Editing } from './editing.ts';
import { invisibleMarks, refusedStatus } from './field-words.ts';

interface EditFieldProps {
  editing: Editing;
  field: EditableField;
}

const budgets = new Set<EditableField>(['d_revenue', 't_revenue']);

/** True for a budget that does not count, because its switch is off. */
function budgetIsOff(editing: Editing, field: EditableField): boolean {
  return budgets.has(field) && editing.text('enable_budget') === '0';
}

function common({ editing, field }: EditFieldProps) {
  const label = fieldLabel(field);
  const changed = editing.changed(field);
  const note: ReactNode = changed ? (
    <>
      was <ForeignText text={editing.stored(field)} /> ·{' '}
      <LinkButton label={`Undo the change of ${label}`} onClick={() => editing.revert(field)}>
        Undo
      </LinkButton>
    </>
  ) : undefined;
  return {
    label,
    changed,
    note,
    value: editing.text(field),
    limit: budgetIsOff(editing, field) ? 'Ignored while budgets are off' : editing.limits[field]?.text,
    error: editing.checked.errorAt.get(field),
  };
}

/** The campaign's name. */
export function NameField({ editing }: { editing: Editing }): ReactElement {
  const field = 'name';
  const marks = invisibleMarks(editing.text(field));
  const limit = editing.limits[field]?.text;
  return (
    <TextField
      {...common({ editing, field })}
      limit={marks.length === 0 ? limit : `${limit}; contains invisible characters: ${marks.join(', ')}`}
      onChange={(typed) => editing.edit(field, typed)}
    />
  );
}

/** An amount of money as a plain decimal. */
export function AmountField({ editing, field }: EditFieldProps): ReactElement {
  return (
    <NumberField {...common({ editing, field })} unit="$" onChange={(typed) => editing.edit(field, typed)} />
  );
}

/** The campaign's status; moves that the service never takes from a member cannot be chosen. */
export function StatusField({ editing }: { editing: Editing }): ReactElement {
  const from = Number(editing.campaign['status']);
  const options = statusCodes.map((code) => ({
    id: String(code),
    label: statusNames[code],
    refused: refusedStatus(from, code),
  }));
  const field = 'status';
  return (
    <Select {...common({ editing, field })} options={options} onChange={(id) => editing.edit(field, id)} />
  );
}

/** Whether the budgets count at all. Off means unlimited, so it is said in so many words. */
export function BudgetSwitch({ editing }: { editing: Editing }): ReactElement {
  const field = 'enable_budget';
  const options = [
    { id: '1', label: 'On' },
    { id: '0', label: 'Off: spending is unlimited' },
  ];
  return (
    <Select {...common({ editing, field })} options={options} onChange={(id) => editing.edit(field, id)} />
  );
}
