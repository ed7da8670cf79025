import type { ReactElement } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components/Menu';
import { cx } from '../cx.ts';
import { buttonClass, type ButtonProps } from '../controls/buttons.tsx';
import { Icon, type IconName } from '../display/icon.tsx';
import styles from './overlay.module.css';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: IconName | undefined;
  disabled?: boolean | undefined;
}

export interface MenuProps {
  label: string;
  name?: string;
  icon?: IconName;
  kind?: ButtonProps['kind'];
  size?: ButtonProps['size'];
  heading?: string;
  entries: readonly MenuEntry[];
  selection?: { mode: 'single' | 'multiple'; ids: readonly string[] };
  onAction: (id: string) => void;
}

/** A button with a menu. A menu of several choices stays open after a choice. */
export function Menu(props: MenuProps): ReactElement {
  const { label, name, icon, kind = 'secondary', size, heading, entries, selection, onAction } = props;
  return (
    <MenuTrigger>
      <AriaButton className={buttonClass(kind, size)} {...(name === undefined ? {} : { 'aria-label': name })}>
        {icon && <Icon name={icon} size={14} />}
        <span className={cx(icon && styles.menuLabel)}>{label}</span>
        <Icon name="chevron-down" size={12} />
      </AriaButton>
      <Popover className={styles.popover ?? ''} placement="bottom start" offset={4}>
        <AriaMenu
          className={styles.list ?? ''}
          aria-label={name ?? label}
          selectionMode={selection?.mode ?? 'none'}
          selectedKeys={selection?.ids ?? []}
          shouldCloseOnSelect={selection?.mode !== 'multiple'}
          onAction={(key) => onAction(String(key))}
        >
          <MenuSection aria-label={heading ?? name ?? label}>
            {heading !== undefined && <Header className={styles.heading}>{heading}</Header>}
            {entries.map((entry) => (
              <MenuItem
                key={entry.id}
                id={entry.id}
                textValue={entry.label}
                isDisabled={entry.disabled ?? false}
                className={styles.item ?? ''}
              >
                {selection && (
                  <span className={styles.mark}>
                    {selection.ids.includes(entry.id) && <Icon name="check" size={14} />}
                  </span>
                )}
                {entry.icon && <Icon name={entry.icon} size={14} />}
                <span className={styles.popoverText}>{entry.label}</span>
              </MenuItem>
            ))}
          </MenuSection>
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
