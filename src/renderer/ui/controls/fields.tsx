import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import styles from './controls.module.css';
import common from '../styles/common.module.css';

type OnKeyDown = ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;

/** Ignores keys of an input method: its Enter ends a word and must not trigger a command. */
function unlessComposing(onKeyDown: OnKeyDown): OnKeyDown {
  return onKeyDown && ((event) => !event.nativeEvent.isComposing && onKeyDown(event));
}

export interface FieldFrameProps {
  id: string;
  label: string;
  limit?: string | undefined;
  error?: string | undefined;
  changed?: boolean | undefined;
  disabled?: boolean | undefined;
  note?: ReactNode;
  children: ReactNode;
}

/** The frame of a control. The control should be described by `${id}-error` and `${id}-limit`. */
export function FieldFrame(props: FieldFrameProps): ReactElement {
  const { id, label, limit, error, changed, disabled, note, children } = props;
  return (
    <div
      className={cx(
        common.stack1,
        styles.field,
        changed && styles.changed,
        error !== undefined && styles.invalid,
        disabled && styles.disabled,
      )}
    >
      <div className={styles.head}>
        <label className={cx(common.quiet, styles.label)} htmlFor={id}>
          {label}
        </label>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </div>
      {children}
      {limit !== undefined && (
        <p className={styles.limit} id={`${id}-limit`}>
          {limit}
        </p>
      )}
      {error !== undefined && (
        <p className={styles.error} id={`${id}-error`} role="alert">
          <Icon name="alert-circle" size={14} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

export function describedBy(id: string, frame: Pick<FieldFrameProps, 'limit' | 'error'>): string | undefined {
  const ids = [frame.error !== undefined && `${id}-error`, frame.limit !== undefined && `${id}-limit`].filter(
    Boolean,
  );
  return ids.length > 0 ? ids.join(' ') : undefined;
}

export interface TextFieldProps extends Omit<FieldFrameProps, 'id' | 'children'> {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  list?: string | undefined;
  maxLength?: number | undefined;
  autoFocus?: boolean | undefined;
  onKeyDown?: OnKeyDown;
  onBlur?: (() => void) | undefined;
  action?: ReactNode;
  ref?: Ref<HTMLInputElement> | undefined;
}

type FieldProps = TextFieldProps &
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'className'> & { unit?: string | undefined };

function Field(props: FieldProps): ReactElement {
  const id = useId();
  const { label, value, onChange, limit, error, changed, disabled, note, onKeyDown, action, unit, ...rest } =
    props;
  return (
    <FieldFrame {...{ id, label, limit, error, changed, disabled, note }}>
      <div className={styles.control}>
        {unit !== undefined && <span aria-hidden>{unit}</span>}
        <input
          id={id}
          type="text"
          value={value}
          disabled={disabled}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { limit, error })}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={unlessComposing(onKeyDown)}
          {...rest}
          data-autofocus={rest.autoFocus || undefined}
        />
        {action}
      </div>
    </FieldFrame>
  );
}

export const TextField: (props: TextFieldProps) => ReactElement = Field;

interface NumberFieldProps extends Pick<
  TextFieldProps,
  'label' | 'onChange' | 'limit' | 'error' | 'changed' | 'disabled' | 'autoFocus' | 'note' | 'onBlur'
> {
  /** The typed text, so nothing is rounded. */
  value: string;
  unit?: string | undefined;
}

export function NumberField(props: NumberFieldProps): ReactElement {
  return <Field {...props} inputMode="decimal" className={styles.number} />;
}

type SecretFieldProps = Pick<
  TextFieldProps,
  'label' | 'value' | 'onChange' | 'limit' | 'error' | 'disabled' | 'ref'
>;

/** A field whose text is never shown, stored or completed by the browser. Its owner clears it after sending the secret. */
export function SecretField(props: SecretFieldProps): ReactElement {
  return <Field {...props} type="password" />;
}

interface TextAreaProps extends Pick<
  TextFieldProps,
  'label' | 'value' | 'onChange' | 'limit' | 'error' | 'autoFocus' | 'onBlur'
> {
  rows: number;
}

export function TextArea(props: TextAreaProps): ReactElement {
  const id = useId();
  const { label, value, onChange, limit, error, rows, autoFocus, onBlur } = props;
  return (
    <FieldFrame {...{ id, label, limit, error }}>
      <textarea
        id={id}
        className={styles.area}
        rows={rows}
        value={value}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { limit, error })}
        data-autofocus={autoFocus || undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </FieldFrame>
  );
}

interface SearchFieldProps extends Pick<
  TextFieldProps,
  'label' | 'value' | 'onChange' | 'placeholder' | 'maxLength' | 'onKeyDown' | 'ref'
> {
  invalid?: boolean | undefined;
  onPaste?: ((event: ClipboardEvent<HTMLInputElement>) => void) | undefined;
}

export function SearchField(props: SearchFieldProps): ReactElement {
  const { label, value, invalid, onChange, onKeyDown, ...rest } = props;
  return (
    <div className={cx(styles.control, styles.search)}>
      <Icon name="search" size={14} />
      <input
        type="text"
        aria-label={label}
        aria-invalid={invalid}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={unlessComposing(onKeyDown)}
        {...rest}
      />
      {value !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear search"
          onClick={({ currentTarget }) => {
            // The button disappears when the text is empty, so the field gets the focus first.
            currentTarget.parentElement?.querySelector('input')?.focus();
            onChange('');
          }}
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  );
}

const typingMs = 150;

/**
 * Calls `settle` when typing pauses. If the owner changes `current` itself, it replaces the typed text. `settleNow`
 * reports at once.
 */
export function useDelayedText(
  current: string,
  settle: (text: string) => void,
): [text: string, type: (text: string) => void, settleNow: () => void] {
  const [text, setText] = useState(current);
  const [reported, setReported] = useState(current);
  const [known, setKnown] = useState(current);
  // Set during rendering: an effect would run later and could report the old text over the owner's.
  if (current !== known) {
    setKnown(current);
    if (current !== reported) {
      setReported(current);
      setText(current);
    }
  }
  function settleNow(): void {
    if (text === reported) return;
    setReported(text);
    settle(text);
  }
  const typingPaused = useEffectEvent(settleNow);
  useEffect(() => {
    if (text === reported) return;
    const timer = setTimeout(() => typingPaused(), typingMs);
    return () => clearTimeout(timer);
  }, [text, reported]);
  return [text, setText, settleNow];
}
