import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { editorStore } from '#renderer/stores/editor/editor-store.ts';
import {
  useFormats,
  Button,
  cx,
  DefinitionList,
  ForeignText,
  Icon,
  LinkButton,
  common,
} from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { valuesInWords } from '#shared/wording/index.ts';
import type { CheckedField } from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { ReactElement, ReactNode } from 'react';
import { type Editing, revertField, storedWords } from '../editing.ts';
import styles from './edit-fields.module.css';

export interface EditFieldProps {
  editing: Editing;
  field: string;
  wide?: boolean;
}

/** `was …, Undo` next to the label of a changed field. Pass `was` if the stored value has no readable text. */
export function WasNote({ editing, field, was }: EditFieldProps & { was?: string }): ReactElement {
  const formats = useFormats();
  return (
    <>
      <span>was </span>
      <ForeignText text={was ?? storedWords(editing, field, formats)} />
      {editing.proposalId === null && (
        <>
          <span> · </span>
          <LinkButton
            label={`Undo the change of ${fieldLabel(field)}`}
            onClick={({ currentTarget }) => {
              focusField(currentTarget);
              revertField(editing, field);
            }}
          >
            Undo
          </LinkButton>
        </>
      )}
    </>
  );
}

export function frameOf(editing: Editing, field: string, limit?: string) {
  const changed = editing.changed.includes(field) || Object.hasOwn(editing.typed, field);
  return {
    label: fieldLabel(field),
    changed,
    note: changed ? <WasNote editing={editing} field={field} /> : undefined,
    limit: limit ?? editing.limits[field]?.text,
    error: editing.errorAt.get(field),
    disabled: editing.proposalId !== null,
  };
}

export interface ConflictValue {
  value: JsonValue | undefined;
  side: 'mine' | 'theirs' | 'original';
  field: string;
}

type DrawnValue = (props: ConflictValue) => ReactElement;

export function FieldBlock(props: {
  editing: Editing;
  fields: readonly string[];
  wide?: boolean | undefined;
  drawn?: DrawnValue | undefined;
  children: ReactNode;
}): ReactElement {
  const { editing, fields, wide, drawn, children } = props;
  const conflicts = editing.conflicts.filter(({ field }) => fields.includes(field));
  return (
    <div className={cx(common.stack1, styles.block, wide && styles.wide)} data-fields={fields.join(' ')}>
      {children}
      {conflicts.map((conflict) => (
        <Conflict key={conflict.field} editing={editing} conflict={conflict} drawn={drawn} />
      ))}
    </div>
  );
}

function Conflict(props: {
  editing: Editing;
  conflict: CheckedField;
  drawn: DrawnValue | undefined;
}): ReactElement {
  const formats = useFormats();
  const { editing, conflict, drawn: Drawn } = props;
  const { field, original, theirs, mine } = conflict;
  const label = fieldLabel(field);
  const show = (value: JsonValue | undefined, side: ConflictValue['side']): ReactElement =>
    Drawn ? (
      <Drawn value={value} side={side} field={field} />
    ) : (
      <ForeignText
        text={valuesInWords(field, { before: theirs, after: value }, editing.context, formats).after}
      />
    );
  function settle(keep: 'mine' | 'theirs', button: Element): void {
    focusField(button);
    editorStore.getState().type(editing.cid, field, null);
    const choice = keep === 'mine' ? { keep, theirs: theirs ?? null } : { keep };
    void draftsStore.getState().settleConflict({ cid: editing.cid, field, ...choice });
  }
  return (
    <div className={cx(common.stack2, styles.conflict)} role="group" aria-label={`Conflict: ${label}`}>
      <p className={cx(common.row1, styles.conflictTitle)} role="alert">
        <Icon name="warning" size={14} /> Someone else changed {label} since you edited it.
      </p>
      <DefinitionList
        items={[
          { key: 'mine', term: 'Mine', value: show(mine, 'mine') },
          { key: 'theirs', term: 'Theirs, now', value: show(theirs, 'theirs') },
          { key: 'original', term: 'Original', value: show(original, 'original') },
        ]}
      />
      {editing.proposalId === null && (
        <span className={cx(common.row2, styles.readings)}>
          <Button
            size="small"
            aria-label={`Take theirs: ${label}`}
            onClick={({ currentTarget }) => settle('theirs', currentTarget)}
          >
            Take theirs
          </Button>
          <Button
            size="small"
            aria-label={`Keep mine: ${label}`}
            onClick={({ currentTarget }) => settle('mine', currentTarget)}
          >
            Keep mine
          </Button>
        </span>
      )}
    </div>
  );
}

/**
 * Moves the focus from a button that removes itself to the control of a field: the labelled control, the current cell
 * of a grid, or the first control. Without `field`, the field is the one around the button. With `field`, it is the
 * named field of the same section.
 */
export function focusField(button: Element, field?: string): void {
  const block =
    field === undefined
      ? button.closest('[data-fields]')
      : button.closest('section')?.querySelector(`[data-fields~="${field}"]`);
  const labelled = block?.querySelector<HTMLLabelElement>('label[for]')?.control;
  const cell = block?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]');
  const [first] = [...(block?.querySelectorAll<HTMLElement>('input, textarea, button') ?? [])].filter(
    (control) => control !== button && !control.matches(':disabled'),
  );
  (labelled ?? cell ?? first)?.focus();
}

/** Moves the focus from a button that removes itself to the heading of its section. */
export function focusHeading(button: Element): void {
  button.closest('section')?.querySelector<HTMLElement>('h1, h2')?.focus();
}
