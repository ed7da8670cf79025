import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { countText } from '#shared/lib/number-text.ts';
import { ForeignText } from '../display/values.tsx';
import { LinkButton } from './buttons.tsx';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import fields from './fields.module.css';
import styles from './members.module.css';

/** A member of a list. `value` is foreign text; `label` says what it means where that is known. */
export interface MemberItem {
  value: string;
  label?: string | undefined;
  /** True for a member that is not stored yet. */
  isNew?: boolean;
}

const atOnce = 80;

export interface MemberChipsProps {
  /** The accessible name of the list. */
  label: string;
  members: readonly MemberItem[];
  disabled?: boolean;
  onRemove: (value: string) => void;
}

/** The members of a list as chips that can be taken out; the first ones at once, all of them on request. */
export function MemberChips({ label, members, disabled = false, onRemove }: MemberChipsProps): ReactElement {
  const [all, setAll] = useState(false);
  const shown = all ? members : members.slice(0, atOnce);
  return (
    <RemovableChips label={label}>
      {shown.map(({ value, label: meaning, isNew = false }, index) => (
        <RemovableChip
          key={`${value} ${index}`}
          isMarked={isNew}
          removeLabel={`Remove ${meaning ?? value}`}
          onRemove={disabled ? null : () => onRemove(value)}
        >
          <span className={styles.value}>
            {isNew && <span className={styles.sign}>+ </span>}
            <ForeignText text={meaning ?? value} />
          </span>
        </RemovableChip>
      ))}
      {shown.length < members.length && (
        <li>
          <LinkButton onClick={() => setAll(true)}>Show all {countText(members.length)}</LinkButton>
        </li>
      )}
    </RemovableChips>
  );
}

/** A list of {@link RemovableChip}s. */
export function RemovableChips(props: { label: string; children: ReactNode }): ReactElement {
  return (
    <ul className={styles.chips} aria-label={props.label}>
      {props.children}
    </ul>
  );
}

export interface RemovableChipProps {
  /** True for what was added, or is in force. */
  isMarked: boolean;
  /** The accessible name of its cross. */
  removeLabel: string;
  /** Null where it cannot be taken out. */
  onRemove: (() => void) | null;
  children: ReactNode;
}

/** An entry of a list that is taken out by its cross. */
export function RemovableChip(props: RemovableChipProps): ReactElement {
  const { isMarked, removeLabel, onRemove, children } = props;
  return (
    <li className={cx(styles.chip, isMarked && styles.marked)}>
      {children}
      {onRemove !== null && (
        <button
          type="button"
          className={styles.remove}
          aria-label={removeLabel}
          onClick={({ currentTarget }) => removeAndGoOn(currentTarget, onRemove)}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  );
}

/** Removes a chip and moves the focus to the cross of the next one, or of the last one. */
function removeAndGoOn(cross: Element, remove: () => void): void {
  const list = cross.closest('ul');
  const crosses = (): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>(`.${styles.remove}`) ?? [])];
  const at = crosses().findIndex((one) => one === cross);
  flushSync(remove);
  (crosses()[at] ?? crosses().at(-1))?.focus();
}

/** A choice of a picker. */
export interface PickerOption {
  value: string;
  label: string;
  /** Beside the label, for example in how many campaigns it stands. */
  note?: string | undefined;
}

export interface MemberPickerProps {
  label: string;
  options: readonly PickerOption[];
  chosen: ReadonlySet<string>;
  disabled?: boolean;
  onToggle: (value: string, isChosen: boolean) => void;
}

const optionsAtOnce = 400;

/** Choices of a list as boxes, in a part that scrolls. */
export function MemberPicker(props: MemberPickerProps): ReactElement {
  const { label, options, chosen, disabled = false, onToggle } = props;
  const id = useId();
  return (
    <div className={styles.picker} role="group" aria-label={label}>
      {options.slice(0, optionsAtOnce).map(({ value, label: text, note }, index) => (
        <label key={value} className={styles.option}>
          <input
            type="checkbox"
            className={fields.checkboxInput}
            checked={chosen.has(value)}
            disabled={disabled}
            aria-describedby={note === undefined ? undefined : `${id}-${index}`}
            onChange={(event) => onToggle(value, event.target.checked)}
          />
          <span className={styles.text}>
            <ForeignText text={text} />
          </span>
          {note !== undefined && (
            <span className={styles.note} id={`${id}-${index}`}>
              {note}
            </span>
          )}
        </label>
      ))}
    </div>
  );
}
