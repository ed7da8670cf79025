import { TextField } from '#renderer/ui/index.ts';
import { type ReactElement, useId } from 'react';
import { setField } from '../editing.ts';
import { type EditFieldProps, FieldBlock, frameOf } from './field-block.tsx';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The zone of a schedule: typed, with the zones that this computer knows as suggestions. */
export function ZoneField({ editing, field }: EditFieldProps): ReactElement {
  const id = useId();
  const value = editing.payload[field];
  return (
    <FieldBlock editing={editing} fields={[field]}>
      <TextField
        {...frameOf(editing, field, 'A zone such as Europe/Berlin or UTC')}
        list={id}
        value={typeof value === 'string' ? value : ''}
        onChange={(typed) => setField(editing, field, typed, true)}
      />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </FieldBlock>
  );
}
