import { editorStore, typedFault } from '#renderer/stores/editor/editor-store.ts';
import { useFormats, Button, ForeignText, NumberField, Select, TextField } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { readTypedAmount } from '#shared/drafts/index.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useEffect } from 'react';
import { chooseAmount, setField, setFields, storedWords, typeAmount } from '../editing.ts';
import { amountNote, invisibleMarks } from '../field-words.ts';
import styles from './edit-fields.module.css';
import { type EditFieldProps, FieldBlock, frameOf } from './field-block.tsx';
import { focusField } from './focus-field.ts';

/** A line of text; one with a limit of length counts its characters. */
export function EditText({
  editing,
  field,
  wide,
  limit,
}: EditFieldProps & { limit?: string | undefined }): ReactElement {
  const value = editing.payload[field];
  const text = typeof value === 'string' ? value : '';
  const max = editing.limits[field]?.maxLength;
  const marks = invisibleMarks(text);
  const words = [
    max === undefined ? limit : `${codePointLength(text)} of ${max} characters`,
    marks.length === 0 ? undefined : `contains invisible characters: ${marks.join(', ')}`,
  ].filter((part) => part !== undefined);
  return (
    <FieldBlock editing={editing} fields={[field]} wide={wide}>
      <TextField
        {...frameOf(editing, field, words.length === 0 ? undefined : words.join('; '))}
        value={text}
        onChange={(typed) => setField(editing, field, typed, true)}
      />
    </FieldBlock>
  );
}

/** An amount or a count, as a person writes it: `0.045`, `1.2k`, `+10%`. */
export function EditAmount({
  editing,
  field,
  wide,
  unit,
  limit,
}: EditFieldProps & { unit?: string; limit?: string | undefined }): ReactElement {
  const { cid, typed, payload } = editing;
  const stands = typed[field];
  const value = payload[field];
  const read = stands === undefined ? null : readTypedAmount(stands);
  const note = amountNote(
    editing.checked.fields.find((checked) => checked.field === field),
    editing.draft[field],
  );
  const frame = frameOf(editing, field, limit);
  useEffect(() => () => forgetReadable(cid, field), [cid, field]);
  return (
    <FieldBlock editing={editing} fields={[field]} wide={wide}>
      <NumberField
        {...frame}
        limit={note === null ? frame.limit : `${note}${frame.limit === undefined ? '' : ` · ${frame.limit}`}`}
        unit={unit}
        value={stands ?? (typeof value === 'number' ? String(value) : '')}
        onChange={(text) => typeAmount(editing, field, text)}
        onBlur={() => forgetReadable(cid, field)}
      />
      {read?.kind === 'ask' && (
        <span className={styles.readings} role="group" aria-label={`Readings of ${stands}`}>
          <span>
            <ForeignText text={stands ?? ''} /> means
          </span>
          {read.readings.map((reading) => (
            <Button
              key={reading}
              size="small"
              onClick={({ currentTarget }) => {
                focusField(currentTarget);
                chooseAmount(editing, field, reading);
              }}
            >
              {reading}
            </Button>
          ))}
        </span>
      )}
    </FieldBlock>
  );
}

/** Typed text becomes a draft when the person leaves the field; text that is no amount stays. */
function forgetReadable(cid: number, field: string): void {
  const { campaigns, type } = editorStore.getState();
  const text = campaigns[cid]?.typed[field];
  if (text !== undefined && typedFault(field, text) === null) type(cid, field, null);
}

export interface EditChoiceProps extends EditFieldProps {
  options: readonly { value: JsonValue; label: string; refused?: string | undefined }[];
  limit?: string | undefined;
  /** Further fields that this choice sets with it. */
  also?: (value: JsonValue) => Readonly<Record<string, JsonValue>>;
}

/** One choice of a few. A stored value that is none of them is kept and named. */
export function EditChoice(props: EditChoiceProps): ReactElement {
  const formats = useFormats();
  const { editing, field, wide, options, limit, also } = props;
  const value = editing.payload[field] ?? null;
  const at = options.findIndex((option) => option.value === value);
  const known = options.map(({ label, refused }, index) => ({ id: String(index), label, refused }));
  const shown = at >= 0 ? known : [...known, { id: '-1', label: storedWords(editing, field, formats) }];
  return (
    <FieldBlock editing={editing} fields={[field]} wide={wide}>
      <Select
        {...frameOf(editing, field, limit)}
        value={String(at)}
        options={shown}
        onChange={(id) => {
          const chosen = options[Number(id)];
          if (chosen === undefined || chosen.value === value) return;
          const others = also?.(chosen.value) ?? {};
          if (Object.keys(others).length === 0) setField(editing, field, chosen.value);
          else setFields(editing, fieldLabel(field), { [field]: chosen.value, ...others });
        }}
      />
    </FieldBlock>
  );
}
