import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { ForeignText } from '../display/values.tsx';
import { LinkButton } from './buttons.tsx';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import fields from './fields.module.css';
import { removeAndPassFocus } from './pass-focus.ts';
import styles from './members.module.css';
import { useFormats } from '../formats.ts';

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
  /** Finds the control that adds a member: it gets the focus of the last one that is taken out. */
  adds: () => HTMLElement | null;
}

/** The members of a list as chips that can be taken out; the first ones at once, all of them on request. */
export function MemberChips(props: MemberChipsProps): ReactElement {
  const formats = useFormats();
  const { label, members, disabled = false, onRemove, adds } = props;
  const [all, setAll] = useState(false);
  const shown = all ? members : members.slice(0, atOnce);
  return (
    <RemovableChips label={label}>
      {withKeys(shown).map(({ key, value, label: meaning, isNew = false }) => (
        <RemovableChip
          key={key}
          isMarked={isNew}
          removeLabel={`Remove ${meaning ?? value}`}
          onRemove={disabled ? null : (cross) => removeAndPassFocus(cross, () => onRemove(value), adds)}
        >
          <span className={styles.value}>
            {isNew && <span className={styles.sign}>+ </span>}
            <ForeignText text={meaning ?? value} />
          </span>
        </RemovableChip>
      ))}
      {shown.length < members.length && (
        <li>
          <LinkButton onClick={() => setAll(true)}>Show all {formats.count(members.length)}</LinkButton>
        </li>
      )}
    </RemovableChips>
  );
}

/** Members with keys that stay when another one is taken out: the value, and which of its occurrences it is. */
function withKeys(members: readonly MemberItem[]): (MemberItem & { key: string })[] {
  const counts = new Map<string, number>();
  return members.map((member) => {
    const count = (counts.get(member.value) ?? 0) + 1;
    counts.set(member.value, count);
    return { ...member, key: `${member.value} ${count}` };
  });
}

/** A list of {@link RemovableChip}s. */
export function RemovableChips(props: { label: string; children: ReactNode }): ReactElement {
  return (
    <ul className={styles.chips} aria-label={props.label} data-entries="">
      {props.children}
    </ul>
  );
}

export interface RemovableChipProps {
  /** True for what was added, or is in force. */
  isMarked: boolean;
  /** The accessible name of its cross. */
  removeLabel: string;
  /** Called with its cross; null where it cannot be taken out. */
  onRemove: ((cross: HTMLElement) => void) | null;
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
          data-removes="chip"
          onClick={(event) => onRemove(event.currentTarget)}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  );
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
