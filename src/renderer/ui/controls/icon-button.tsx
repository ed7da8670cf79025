import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import { buttonClass, type ButtonProps } from './button.tsx';
import styles from './buttons.module.css';

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'trailing' | 'children'> {
  icon: IconName;
  /** The accessible name, also shown as the system's tooltip. */
  label: string;
}

/** A button that shows only an icon and is named by its label. */
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
