import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import styles from './buttons.module.css';

/** How much a button weighs on its page: one `primary` at most, `danger` only where something is lost. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  size?: 'small' | 'normal' | 'large';
  icon?: IconName;
  /** An icon after the word, for example a chevron. */
  trailing?: IconName;
  ref?: Ref<HTMLButtonElement>;
}

/** The class names of a button, for parts that draw their own button element. */
export function buttonClass(kind: ButtonKind, size: ButtonProps['size'] = 'normal'): string {
  return cx(styles.button, styles[kind], size !== 'normal' && styles[size]);
}

/** A native button. `type` is `button` unless said otherwise, so it never submits by surprise. */
export function Button(props: ButtonProps): ReactElement {
  const { kind = 'secondary', size = 'normal', icon, trailing, className, children, ...rest } = props;
  return (
    <button type="button" className={cx(buttonClass(kind, size), className)} {...rest}>
      {icon && <Icon name={icon} size={size === 'small' ? 14 : 16} />}
      {children}
      {trailing && <Icon name={trailing} size={14} />}
    </button>
  );
}
