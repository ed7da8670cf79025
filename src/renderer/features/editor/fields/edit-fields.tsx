import { editorStore, typedFault } from '#renderer/stores/editor/editor-store.ts';
import {
  useFormats,
  Button,
  ForeignText,
  NumberField,
  Select,
  TextField,
  cx,
  common,
} from '#renderer/ui/index.ts';
import { fieldLabel, targetingDimensions } from '#shared/campaign/index.ts';
import { readTypedAmount } from '#shared/drafts/index.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useEffect, useId } from 'react';
import {
  chooseAmount,
  setField,
  setFields,
  storedWords,
  textOf,
  typeAmount,
  chooseDate,
  type Editing,
  finishDate,
  typeDate,
  isUsed,
} from '../editing.ts';
import { amountNote, invisibleMarks, dateNote } from '../field-words.ts';
import styles from './edit-fields.module.css';
import { type EditFieldProps, FieldBlock, frameOf, focusField, focusHeading } from './field-block.tsx';
import { DateField } from '#renderer/ui/report/index.ts';
import { isDate } from '#shared/lib/date-text.ts';

interface EditTextProps extends EditFieldProps {
  limit?: string | undefined;
  list?: string;
  isFixed?: boolean;
}

export function EditText(props: EditTextProps): ReactElement {
  const { editing, field, wide, limit, list, isFixed = false } = props;
  const text = textOf(editing, field);
  const max = editing.limits[field]?.maxLength;
  const marks = invisibleMarks(text);
  const words = [
    max === undefined ? limit : `${codePointLength(text)} of ${max} characters`,
    marks.length === 0 ? undefined : `contains invisible characters: ${marks.join(', ')}`,
  ].filter((part) => part !== undefined);
  const frame = frameOf(editing, field, words.length === 0 ? undefined : words.join('; '));
  return (
    <FieldBlock editing={editing} fields={[field]} wide={wide}>
      <TextField
        {...frame}
        disabled={isFixed || frame.disabled}
        list={list}
        value={text}
        onChange={(typed) => setField(editing, field, typed, true)}
      />
    </FieldBlock>
  );
}

interface EditAmountProps extends EditFieldProps {
  unit?: string;
  limit?: string | undefined;
}

/** A field for an amount or count in any accepted form: `0.045`, `1.2k`, `+10%`. */
export function EditAmount({ editing, field, unit, limit }: EditAmountProps): ReactElement {
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
    <FieldBlock editing={editing} fields={[field]}>
      <NumberField
        {...frame}
        limit={note === null ? frame.limit : `${note}${frame.limit === undefined ? '' : ` · ${frame.limit}`}`}
        unit={unit}
        value={stands ?? (typeof value === 'number' ? String(value) : '')}
        onChange={(text) => typeAmount(editing, field, text)}
        onBlur={() => forgetReadable(cid, field)}
      />
      {read?.kind === 'ask' && (
        <span className={cx(common.row2, styles.readings)} role="group" aria-label={`Readings of ${stands}`}>
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

/** When a field is left, valid text is replaced by the drafted value. Invalid text must stay. */
function forgetReadable(cid: number, field: string): void {
  const { campaigns, type } = editorStore.getState();
  const text = campaigns[cid]?.typed[field];
  if (text !== undefined && typedFault(field, text) === null) type(cid, field, null);
}

interface EditChoiceProps extends EditFieldProps {
  options: readonly { value: JsonValue; label: string; refused?: string | undefined }[];
  limit?: string | undefined;
  also?: (value: JsonValue) => Readonly<Record<string, JsonValue>>;
}

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

/** A typed or chosen date of the flight. The parsed date is shown below until the field shows it. */
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

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export function ZoneField({ editing, field }: EditFieldProps): ReactElement {
  const id = useId();
  return (
    <>
      <EditText editing={editing} field={field} limit="A zone such as Europe/Berlin or UTC" list={id} />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  );
}

export function refusedByType(editing: Editing): string[] {
  const clearable = ['bidControl', ...targetingDimensions.map(({ list }) => list)];
  return clearable.filter((field) => editing.errorAt.has(field) && !isUsed(editing, field));
}

/**
 * A button that removes values that the drafted type refuses: all bid controls, or the limit of a dimension. Hidden
 * while a proposal is undecided.
 */
export function ClearField({ editing, field }: { editing: Editing; field: string }): ReactElement | null {
  if (editing.proposalId !== null) return null;
  const dimension = targetingDimensions.find(({ list }) => list === field);
  return (
    <Button
      size="small"
      onClick={({ currentTarget }) => {
        focusHeading(currentTarget);
        if (dimension === undefined) setField(editing, field, []);
        else setField(editing, dimension.flag, 1);
      }}
    >
      {dimension === undefined ? 'Remove bid controls' : `Target all ${dimension.many}`}
    </Button>
  );
}
