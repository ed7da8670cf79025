import {
  cx,
  useFormats,
  Banner,
  ForeignText,
  LinkButton,
  NumberField,
  Pill,
  common,
  pages,
  FieldError,
} from '#renderer/ui/index.ts';
import { bidControlOf, typeOf } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { draftOf, type FieldOperation, readTypedAmount } from '#shared/drafts/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useState } from 'react';
import { changeFields, draftedField, type Editing, isUsed, revertField } from '../editing.ts';
import { ClearField, refusedByType } from '../fields/edit-fields.tsx';
import { FieldBlock, frameOf, focusField } from '../fields/field-block.tsx';
import bids from '../fields/edit-fields.module.css';

const field = 'bidControl';

export function BidControlsSection({ editing }: { editing: Editing }): ReactElement {
  const formats = useFormats();
  const stored = editing.campaign[field];
  const controls = Array.isArray(stored) ? stored : [];
  const isAllowed = isUsed(editing, field);
  const frame = frameOf(editing, field);
  const isRemoved = controls.length > 0 && controlsOf(editing.payload).length === 0;
  return (
    <FieldBlock editing={editing} fields={[field]}>
      {!isAllowed && !isRemoved && (
        <Banner
          tone="info"
          title="Bid controls are not available here."
          actions={
            refusedByType(editing).includes(field) ? (
              <ClearField editing={editing} field={field} />
            ) : undefined
          }
        >
          They need a CPC or CPV type and an account that has them.
        </Banner>
      )}
      <p className={common.quiet}>
        {controls.length === 0 ? (
          <span>
            This campaign has no bid controls. Countersign edits the bids of existing ones; new ones are made
            in the service.
          </span>
        ) : isRemoved ? (
          <span>{`${formats.counted(controls.length, 'bid control')} will be removed.`}</span>
        ) : isAllowed ? (
          <span>The bid of a source can be edited. Everything else belongs to the service and is kept.</span>
        ) : (
          ''
        )}{' '}
        {frame.changed && editing.proposalId === null && (
          <LinkButton
            label="Undo the change of Bid controls"
            onClick={({ currentTarget }) => {
              focusField(currentTarget);
              revertField(editing, field);
            }}
          >
            Undo
          </LinkButton>
        )}
      </p>
      <ul className={common.stack2} aria-label="Bid controls">
        {(isRemoved ? [] : controls).map((control, index) => (
          <li key={index} className={cx(pages.framed, bids.control)} aria-label={`Bid control ${index + 1}`}>
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
      <FieldError text={frame.error} />
    </FieldBlock>
  );
}

interface ControlProps {
  editing: Editing;
  control: JsonObject;
  index: number;
  isHeld: boolean;
}

function Control({ editing, control, index, isHeld }: ControlProps): ReactElement {
  const known = bidControlOf(control, typeOf(editing.campaign, editing.context));
  if (known === null)
    return (
      <>
        {Object.entries(control).map(([member, value]) => (
          <Member key={member} name={member} value={value} />
        ))}
        <Pill tone="neutral" hollow label="Read-only" />
      </>
    );
  const { source, bid } = known;
  const now = controlsOf(editing.payload)[index];
  const drafted = isJsonObject(now) ? now[bid.member] : undefined;
  return (
    <>
      <Member name={source.member} value={source.value} />
      <BidOfSource
        editing={editing}
        name={inertText(bid.member)}
        stored={bid.value}
        value={typeof drafted === 'number' ? drafted : bid.value}
        isHeld={isHeld}
        onChange={(value) => setMember(editing, { index, member: bid.member, value })}
      />
    </>
  );
}

function Member({ name, value }: { name: string; value: JsonValue }): ReactElement {
  return (
    <span className={cx(common.stack, bids.member)}>
      <span className={common.quiet}>
        <ForeignText text={name} />
      </span>
      <ForeignText text={typeof value === 'string' ? value : JSON.stringify(value)} />
    </span>
  );
}

interface MemberChange {
  index: number;
  member: string;
  value: number;
}

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

/** Returns one operation per changed number. Each must identify the control by its state after the previous operation. */
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

interface BidOfSourceProps {
  editing: Editing;
  name: string;
  stored: number;
  value: number;
  isHeld: boolean;
  onChange: (value: number) => void;
}

function BidOfSource(props: BidOfSourceProps): ReactElement {
  const { editing, name, stored, value, isHeld, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : readTypedAmount(typed);
  const isPlain = read?.kind === 'operation' && read.operation.kind === 'set';
  const isChanged = value !== stored;
  const limit = editing.limits[field];
  const isBeyond = isChanged && (value < (limit?.min ?? -Infinity) || value > (limit?.max ?? Infinity));
  const wrong = read === null || isPlain ? undefined : 'Enter a number such as 0.5.';
  return (
    <span className={bids.number}>
      <NumberField
        label={name}
        unit="$"
        value={typed ?? String(value)}
        limit={limit?.text}
        changed={isChanged || typed !== null}
        disabled={isHeld}
        note={isChanged ? `was ${stored}` : undefined}
        error={wrong ?? (isBeyond ? 'Outside the limits.' : undefined)}
        onChange={(text) => {
          setTyped(text);
          const next = readTypedAmount(text);
          // Text that is no number removes the earlier draft.
          if (next.kind === 'operation' && next.operation.kind === 'set')
            onChange(Number(next.operation.value));
          else onChange(stored);
        }}
        onBlur={() => {
          if (isPlain) setTyped(null);
        }}
      />
    </span>
  );
}
