import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
} from 'react';
import { Button, cx, ForeignText, Icon, common } from '#renderer/ui/index.ts';
import styles from './foot.module.css';
import type { Choice, GestureEvent } from './state/gesture.ts';

/** Readiness of the buttons: `waiting` for the core or the focus, `arming` for half a second, then `armed`. */
export type Readiness = 'waiting' | 'arming' | 'armed';

export interface DecideButtonProps {
  choice: Choice;
  readiness: Readiness;
  blocked?: boolean;
  /** Restarts the progress line of arming when it changes. */
  appearance: number;
  describedBy?: string | undefined;
  perceive: (event: GestureEvent) => void;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** Reports presses with their times and decides nothing itself. Cancels the browser's own handling of Enter and Space. */
export function DecideButton(props: DecideButtonProps): ReactElement {
  const { choice, readiness, blocked = false, appearance, describedBy, perceive, children, ref } = props;

  const press = (event: PointerEvent | KeyboardEvent, by: 'pointer' | 'space', repeated: boolean): void =>
    perceive({ kind: 'pressed', choice, by, repeated, ...factsOf(event) });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (event.key === ' ') press(event, 'space', event.repeat);
    else perceive({ kind: 'entered', choice, repeated: event.repeat, ...factsOf(event) });
  }

  function onKeyUp(event: KeyboardEvent): void {
    if (event.key !== ' ') return;
    event.preventDefault();
    perceive({ kind: 'released', choice, by: 'space', ...factsOf(event) });
  }

  function onClick(event: MouseEvent): void {
    // A click without a pointer comes from assistive technology, because clicks of keys are cancelled above.
    if (event.detail === 0) perceive({ kind: 'assisted', choice, ...factsOf(event) });
    else perceive({ kind: 'released', choice, by: 'pointer', ...factsOf(event) });
  }

  return (
    <button
      ref={ref}
      type="button"
      className={cx(styles.button, styles[choice], styles[readiness], blocked && styles.blocked)}
      aria-disabled={blocked || readiness !== 'armed'}
      aria-describedby={describedBy}
      onPointerDown={(event) => {
        if (event.button === 0) press(event, 'pointer', false);
      }}
      onPointerCancel={() => perceive({ kind: 'abandoned', choice })}
      onBlur={() => perceive({ kind: 'abandoned', choice })}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onKeyUp={onKeyUp}
    >
      {readiness === 'arming' && <span key={appearance} className={styles.fill} aria-hidden />}
      <span className={styles.label}>{children}</span>
    </button>
  );
}

const factsOf = ({
  isTrusted,
  timeStamp,
}: MouseEvent | KeyboardEvent): { trusted: boolean; atMs: number } => ({
  trusted: isTrusted,
  atMs: timeStamp,
});

/** A button that ignores the key that is still held from the decision. */
export function FreshPressButton(props: ComponentProps<typeof Button>): ReactElement {
  return <Button {...props} onKeyDown={(event) => event.repeat && event.preventDefault()} />;
}

export interface TypeToConfirmProps {
  asked: { label: string; value: string };
  typed: string;
  right: boolean;
  disabled: boolean;
  onType: (text: string) => void;
}

const leastWidth = 16;

export function TypeToConfirm({ asked, typed, right, disabled, onType }: TypeToConfirmProps): ReactElement {
  const id = useId();
  return (
    <div className={common.wrap2}>
      <label htmlFor={id}>
        <ForeignText text={asked.label} />:
      </label>
      <input
        id={id}
        className={styles.input}
        style={{ width: `${Math.max(leastWidth, asked.value.length + 4)}ch` }}
        value={typed}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        onChange={(event) => onType(event.target.value)}
      />
      <span className={styles.sign} role="status">
        {right && (
          <>
            <Icon name="check" />
            <span> matches</span>
          </>
        )}
      </span>
    </div>
  );
}
