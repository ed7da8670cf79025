import { type ButtonHTMLAttributes, type ReactElement, type Ref, useRef } from 'react';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import styles from './buttons.module.css';

/** The weight of a button: at most one `primary` per page, `danger` only if something is lost. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  size?: 'small' | 'normal' | 'large';
  icon?: IconName;
  trailing?: IconName;
  ref?: Ref<HTMLButtonElement>;
}

export function buttonClass(kind: ButtonKind, size: ButtonProps['size'] = 'normal'): string {
  return cx(styles.button, styles[kind], size !== 'normal' && styles[size]);
}

/** A native button. `type` is `button` unless set otherwise, so it never submits by surprise. */
export function Button(props: ButtonProps): ReactElement {
  const { kind = 'secondary', size = 'normal', icon, trailing, className, children, ...rest } = props;
  return (
    <button type="button" className={cx(buttonClass(kind, size), className)} {...rest}>
      {icon && <Icon name={icon} size={size === 'small' ? 14 : 16} />}
      <span className={styles.content}>{children}</span>
      {trailing && <Icon name={trailing} size={14} />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'trailing' | 'children'> {
  icon: IconName;
  label: string;
}

export function IconButton(props: IconButtonProps): ReactElement {
  const { icon, label, kind = 'quiet', size = 'normal', className, ...rest } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(buttonClass(kind, size), styles.icon, className)}
      {...rest}
    >
      <Icon name={icon} size={size === 'small' ? 14 : 16} />
    </button>
  );
}

export function LinkButton(
  props: Pick<ButtonProps, 'children' | 'onClick'> & { label?: string },
): ReactElement {
  return (
    <button type="button" className={styles.link} aria-label={props.label} onClick={props.onClick}>
      {props.children}
    </button>
  );
}

export interface FailureActionProps {
  /** Null if a retry may help. */
  step: string | null;
  href: string;
  onRetry: () => void;
  size?: NonNullable<ButtonProps['size']>;
}

export function FailureAction({ step, href, onRetry, size = 'normal' }: FailureActionProps): ReactElement {
  const kind = size === 'normal' ? 'primary' : 'secondary';
  if (step !== null) {
    return (
      <a className={buttonClass(kind, size)} href={href}>
        {step}
      </a>
    );
  }
  return (
    <Button kind={kind} size={size} icon="refresh" onClick={onRetry}>
      Try again
    </Button>
  );
}

interface FileButtonProps extends Pick<ButtonProps, 'icon' | 'kind' | 'disabled'> {
  children: string;
  label: string;
  accept: string;
  multiple?: boolean;
  onFile: (first: File, all: readonly File[]) => void;
}

/** A button that opens a file dialog. A file can be chosen twice in a row, because it may have been edited. */
export function FileButton({ label, accept, multiple, onFile, ...button }: FileButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files[0] !== undefined) onFile(files[0], files);
        }}
      />
    </>
  );
}
