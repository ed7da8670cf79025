import { useState, type ReactElement, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { cx } from '../cx.ts';
import { buttonClass, type ButtonProps } from '../controls/button.tsx';
import { Icon, type IconName } from '../display/icon.tsx';
import styles from '../overlay/overlay.module.css';

export interface PanelButtonProps {
  /** What the trigger says. */
  label: ReactNode;
  /** The accessible name of the trigger. */
  name: string;
  /** The name of the panel; the trigger's where there is no other. */
  title?: string;
  icon?: IconName;
  kind?: ButtonProps['kind'];
  /** The id of what describes the trigger, for example an error. */
  describedBy?: string | undefined;
  /** The content of the panel; `close` closes it. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a small panel of controls beside itself. Escape and a press outside close it. */
export function PanelButton(props: PanelButtonProps): ReactElement {
  const { label, name, title, icon, kind = 'secondary', describedBy, children } = props;
  const [open, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <AriaButton
        className={buttonClass(kind)}
        aria-label={name}
        {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      >
        {icon && <Icon name={icon} size={14} />}
        <span className={cx(icon && styles.menuLabel)}>{label}</span>
        <Icon name="chevron-down" size={12} />
      </AriaButton>
      <Popover className={cx(styles.popover, styles.panel)} placement="bottom start" offset={4}>
        <AriaDialog className={styles.list ?? ''} aria-label={title ?? name}>
          {children(() => setOpen(false))}
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}
