import { TextField, useFormats } from '#renderer/ui/index.ts';
import { DateField } from '#renderer/ui/report/index.ts';
import { isDate } from '#shared/lib/date-text.ts';
import type { ReactElement } from 'react';
import { chooseDate, type Editing, finishDate, setField, typeDate } from '../editing.ts';
import { dateNote } from '../field-words.ts';
import { type EditFieldProps, FieldBlock, frameOf } from './field-block.tsx';

/** A date of the flight, typed as a person says it or chosen. The day that it means is shown below it until the field shows it itself. */
export function EditDate(props: EditFieldProps & { today: string; withTime?: boolean }): ReactElement {
  const formats = useFormats();
  const { editing, field, today, withTime = false } = props;
  const stored = textOf(editing, field);
  const time = withTime ? textOf(editing, `${field}_time`) : '';
  const note = dateNote(stored, editing.draft[field], formats);
  const finish = (): void => finishDate(editing, field, today);
  return (
    <FieldBlock editing={editing} fields={[field]}>
      <DateField
        {...frameOf(editing, field, note === undefined || time === '' ? note : `${note}, ${time}`)}
        value={editing.typed[field] ?? stored}
        today={isDate(stored) ? stored : today}
        placeholder="31 Dec, +14d, Sun"
        onChange={(typed) => typeDate(editing, field, typed, today)}
        onChoose={(date) => chooseDate(editing, field, date, today)}
        onBlur={finish}
        onKeyDown={({ key }) => key === 'Enter' && finish()}
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
