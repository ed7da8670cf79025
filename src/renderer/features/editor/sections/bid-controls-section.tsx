import { Banner, ForeignText, NumberField } from '#renderer/ui/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { draftOf, type FieldOperation, readTypedAmount } from '#shared/drafts/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useState } from 'react';
import { changeFields, draftedField, type Editing, isUsed } from '../editing.ts';
import { FieldBlock, frameOf, WasNote } from '../fields/field-block.tsx';
import styles from '../editor.module.css';
import bids from './bid-controls.module.css';

const field = 'bidControl';
/** Members that name a thing rather than measure one. */
const isName = (member: string): boolean => /(^|_)(id|cid|uid|key|code|type)$/iu.test(member);

/** The service's own objects; the numbers in them can be edited where the type and the account have bid controls. */
export function BidControlsSection({ editing }: { editing: Editing }): ReactElement {
  const stored = editing.campaign[field];
  const controls = Array.isArray(stored) ? stored : [];
  const isAllowed = isUsed(editing, field);
  const frame = frameOf(editing, field);
  return (
    <FieldBlock editing={editing} fields={[field]}>
      {!isAllowed && (
        <Banner tone="info" title="Bid controls are not available here.">
          They need a CPC or CPV type and an account that has them. What is stored is kept.
        </Banner>
      )}
      {controls.length === 0 ? (
        <p className={styles.hint}>
          This campaign has no bid controls. Countersign edits the numbers of existing ones; new ones are made
          in the service.
        </p>
      ) : (
        <p className={styles.hint}>
          The numbers can be edited; everything else belongs to the service and is kept.{' '}
          {frame.changed && <WasNote editing={editing} field={field} />}
        </p>
      )}
      <ul className={bids.controls} aria-label="Bid controls">
        {controls.map((control, index) => (
          <li key={index} className={bids.control} aria-label={`Bid control ${index + 1}`}>
            {isJsonObject(control) ? (
              <Control
                editing={editing}
                control={control}
                index={index}
                isHeld={!isAllowed || frame.disabled}
              />
            ) : (
              <ForeignText text={JSON.stringify(control)} />
            )}
          </li>
        ))}
      </ul>
      {frame.error !== undefined && (
        <p className={styles.error} role="alert">
          {frame.error}
        </p>
      )}
    </FieldBlock>
  );
}

function Control(props: {
  editing: Editing;
  control: JsonObject;
  index: number;
  isHeld: boolean;
}): ReactElement {
  const { editing, control, index, isHeld } = props;
  const drafted = editing.payload[field];
  const now = Array.isArray(drafted) ? drafted[index] : undefined;
  return (
    <>
      {Object.entries(control).map(([member, value]) =>
        typeof value === 'number' && !isName(member) ? (
          <MemberNumber
            key={member}
            name={inertText(member)}
            stored={value}
            value={isJsonObject(now) ? now[member] : value}
            isHeld={isHeld}
            onChange={(next) => setMember(editing, { index, member, value: next })}
          />
        ) : (
          <span key={member} className={bids.member}>
            <span className={bids.name}>
              <ForeignText text={member} />
            </span>
            <ForeignText text={typeof value === 'string' ? value : JSON.stringify(value)} />
          </span>
        ),
      )}
    </>
  );
}

interface MemberChange {
  index: number;
  member: string;
  value: number;
}

/** Drafts one number of one control; the other drafted numbers stay. */
function setMember(editing: Editing, { index, member, value }: MemberChange): void {
  const stored = controlsOf(editing.campaign);
  const wanted = controlsOf(editing.payload).map((control, at) =>
    at === index && isJsonObject(control) ? { ...control, [member]: value } : control,
  );
  const operations = stored.flatMap((control, at) => stepsBetween(control, wanted[at]));
  const draft = operations.length === 0 ? null : draftOf(draftedField(editing, field), operations);
  changeFields(editing, 'Bid control', [[field, draft]], `${field} ${index} ${member}`);
}

function controlsOf(campaign: JsonObject): JsonValue[] {
  const controls = campaign[field];
  return Array.isArray(controls) ? controls : [];
}

/** One operation for each number that differs; each finds the control as the one before has left it. */
function stepsBetween(from: JsonValue, to: JsonValue | undefined): FieldOperation[] {
  if (!isJsonObject(from) || !isJsonObject(to)) return [];
  let control = from;
  return Object.entries(to).flatMap(([member, value]) => {
    if (typeof value !== 'number' || value === from[member]) return [];
    const step: FieldOperation = { kind: 'setBidControl', control, member, value };
    control = { ...control, [member]: value };
    return [step];
  });
}

/** A number of a control; text that is no number stays here. */
function MemberNumber(props: {
  name: string;
  stored: number;
  value: JsonValue | undefined;
  isHeld: boolean;
  onChange: (value: number) => void;
}): ReactElement {
  const { name, stored, value, isHeld, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : readTypedAmount(typed);
  const isPlain = read?.kind === 'operation' && read.operation.kind === 'set';
  const isChanged = value !== stored;
  return (
    <span className={bids.number}>
      <NumberField
        label={name}
        value={typed ?? (typeof value === 'number' ? String(value) : '')}
        changed={isChanged || typed !== null}
        disabled={isHeld}
        note={isChanged ? `was ${stored}` : undefined}
        error={read === null || isPlain ? undefined : 'Enter a number such as 0.5.'}
        onChange={(text) => {
          setTyped(text);
          const next = readTypedAmount(text);
          if (next.kind === 'operation' && next.operation.kind === 'set')
            onChange(Number(next.operation.value));
        }}
        onBlur={() => {
          if (isPlain) setTyped(null);
        }}
      />
    </span>
  );
}
