import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from './buttons.tsx';
import { Checkbox } from './choices.tsx';
import fields from './controls.module.css';
import { TextField } from './fields.tsx';
import { changeAndFocus } from './keep-focus.ts';
import styles from './labels.module.css';
import { Buttons } from '../layout/blocks.tsx';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import common from '../styles/common.module.css';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import { ForeignText } from '../display/values.tsx';

export interface PickedLabel {
  id: string;
  name: string;
  color: LabelTone;
  on: 'all' | 'some' | 'none';
}

interface SavedLabel {
  id: string | null;
  name: string;
  color: LabelTone;
}

export interface LabelPickerProps {
  labels: readonly PickedLabel[];
  maxNameLength: number;
  error: string | undefined;
  onToggle: (id: string, isOn: boolean) => void;
  /** Saves a label. With a null id, creates it and attaches it to the campaigns. Resolves to false if the core refused it. */
  onSave: (label: SavedLabel) => Promise<boolean>;
  onRemove: (id: string) => void;
}

const whereWords = 'Only on this computer; no service receives labels.';

const tones = ['blue', 'violet', 'pink', 'brown', 'olive', 'grey'] as const;

type LabelTone = (typeof tones)[number];

export function LabelPicker(props: LabelPickerProps): ReactElement {
  const { labels, maxNameLength, error, onToggle, onSave, onRemove } = props;
  const [editing, setEditing] = useState<PickedLabel | 'new' | null>(labels.length === 0 ? 'new' : null);
  const picker = useRef<HTMLDivElement>(null);

  function close(id: string): void {
    const opener = (of: string) => picker.current?.querySelector<HTMLElement>(`[data-opens="${of}"]`);
    changeAndFocus(
      () => setEditing(null),
      () => opener(id) ?? opener('new'),
    );
  }

  if (editing !== null) {
    const opened = editing === 'new' ? editing : editing.id;
    return (
      <div ref={picker} className={cx(common.stack3, styles.picker)}>
        <LabelForm
          was={editing === 'new' ? null : editing}
          maxNameLength={maxNameLength}
          error={error}
          onSave={async (label) => {
            if (await onSave(label)) close(opened);
          }}
          onRemove={(id) => {
            onRemove(id);
            close('new');
          }}
          onCancel={labels.length === 0 ? null : () => close(opened)}
        />
        <p className={common.quiet}>{whereWords}</p>
      </div>
    );
  }
  return (
    <div ref={picker} className={cx(common.stack3, styles.picker)}>
      <ul className={styles.list} aria-label="Labels">
        {labels.map((label) => {
          const { id, name, color, on } = label;
          return (
            <li key={id} className={styles.item}>
              <LabelDisc color={color} />
              <Checkbox
                label={inertText(name)}
                checked={on === 'all'}
                indeterminate={on === 'some'}
                onChange={(checked) => onToggle(id, checked)}
              />
              <IconButton
                icon="edit"
                size="small"
                label={`Change label ${inertText(name)}`}
                data-opens={id}
                onClick={() => setEditing(label)}
              />
            </li>
          );
        })}
      </ul>
      {error !== undefined && <p className={common.quiet}>{error}</p>}
      <Button size="small" icon="plus" data-opens="new" onClick={() => setEditing('new')}>
        New label
      </Button>
      <p className={common.quiet}>{whereWords}</p>
    </div>
  );
}

function LabelForm(props: {
  was: PickedLabel | null;
  maxNameLength: number;
  error: string | undefined;
  onSave: (label: SavedLabel) => Promise<void>;
  onRemove: (id: string) => void;
  onCancel: (() => void) | null;
}): ReactElement {
  const { was, maxNameLength, error, onSave, onRemove, onCancel } = props;
  const [name, setName] = useState(was?.name ?? '');
  const [color, setColor] = useState<LabelTone>(was?.color ?? 'blue');
  const isName = name.trim() !== '' && codePointLength(name.trim()) <= maxNameLength && !/\p{C}/u.test(name);
  return (
    <form
      className={common.stack2}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isName) void onSave({ id: was?.id ?? null, name: name.trim(), color });
      }}
    >
      <TextField
        label={was === null ? 'New label' : 'Name'}
        value={name}
        limit={`At most ${maxNameLength} characters`}
        error={error}
        autoFocus
        onChange={setName}
      />
      <fieldset className={styles.colors}>
        <legend className={cx(common.quiet, styles.colorsTitle)}>Colour</legend>
        {tones.map((tone) => (
          <label key={tone} className={styles.color}>
            <input
              type="radio"
              className={fields.radioInput}
              name="label-colour"
              checked={tone === color}
              onChange={() => setColor(tone)}
            />
            <LabelDisc color={tone} />
            {tone}
          </label>
        ))}
      </fieldset>
      <Buttons>
        <Button type="submit" size="small" kind="primary" disabled={!isName}>
          {was === null ? 'Add label' : 'Save label'}
        </Button>
        {was !== null && (
          <Button size="small" icon="remove" onClick={() => onRemove(was.id)}>
            Delete label
          </Button>
        )}
        {onCancel !== null && (
          <Button size="small" kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Buttons>
    </form>
  );
}

export interface LabelChipProps {
  name: string;
  color: LabelTone;
}

function LabelChip({ name, color }: LabelChipProps): ReactElement {
  return (
    <span className={styles.chip}>
      <LabelDisc color={color} />
      <span className={styles.name}>
        <ForeignText text={name} />
      </span>
    </span>
  );
}

function LabelDisc({ color }: { color: LabelTone }): ReactElement {
  return <span className={styles.disc} style={{ background: `var(--label-${color})` }} aria-hidden />;
}

export function LabelChips(props: { labels: readonly LabelChipProps[]; max: number }): ReactElement | null {
  const { labels, max } = props;
  if (labels.length === 0) return null;
  const names = labels.map(({ name }) => inertText(name)).join(', ');
  return (
    <span className={styles.chips} title={names} role="group" aria-label={`Labels: ${names}`}>
      {labels.slice(0, max).map((label) => (
        <LabelChip key={label.name} {...label} />
      ))}
      {labels.length > max && <span className={styles.more}>+{labels.length - max}</span>}
    </span>
  );
}

export function RemovableChips(props: { label: string; children: ReactNode }): ReactElement {
  return (
    <ul className={styles.removables} aria-label={props.label} data-entries="">
      {props.children}
    </ul>
  );
}

interface RemovableChipProps {
  isMarked: boolean;
  removeLabel: string;
  onRemove: ((cross: HTMLElement) => void) | null;
  children: ReactNode;
}

export function RemovableChip(props: RemovableChipProps): ReactElement {
  const { isMarked, removeLabel, onRemove, children } = props;
  return (
    <li className={cx(styles.removable, isMarked && styles.marked)}>
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
