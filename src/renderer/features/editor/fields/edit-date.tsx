import { TextField } from '#renderer/ui/index.ts';
import { DateField } from '#renderer/ui/report/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import { type Editing, setField, setFields } from '../editing.ts';
import { type EditFieldProps, FieldBlock, frameOf } from './field-block.tsx';

/** A calendar date, typed or chosen. The service's form is YYYY-MM-DD. */
export function EditDate({ editing, field, today }: EditFieldProps & { today: string }): ReactElement {
  const timeField = `${field}_time`;
  /** A first date needs a time beside it. */
  function choose(date: string): void {
    if (textOf(editing, timeField) !== '') return setField(editing, field, date);
    const time = field === 'create' ? '00:00' : '23:59';
    setFields(editing, fieldLabel(field), { [field]: date, [timeField]: time });
  }
  return (
    <FieldBlock editing={editing} fields={[field]}>
      <DateField
        {...frameOf(editing, field, 'YYYY-MM-DD')}
        value={textOf(editing, field)}
        today={today}
        onChange={(typed) => setField(editing, field, typed, true)}
        onChoose={choose}
      />
    </FieldBlock>
  );
}

/** A time of day, HH:MM. */
export function EditTime({ editing, field }: EditFieldProps): ReactElement {
  return (
    <FieldBlock editing={editing} fields={[field]}>
      <TextField
        {...frameOf(editing, field, 'HH:MM')}
        value={textOf(editing, field)}
        onChange={(typed) => setField(editing, field, typed, true)}
      />
    </FieldBlock>
  );
}

function textOf({ payload }: Editing, field: string): string {
  const value = payload[field];
  return typeof value === 'string' ? value : '';
}
