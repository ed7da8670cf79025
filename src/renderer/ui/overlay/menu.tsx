import { type ReactElement, useRef } from 'react';
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
import { KeyHint } from '../display/pills.tsx';
import styles from './overlay.module.css';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: IconName | undefined;
  disabled?: boolean | undefined;
  keys?: readonly string[] | undefined;
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
  const { label, name, icon, kind = 'secondary', size, ...list } = props;
  return (
    <MenuTrigger>
      <AriaButton className={buttonClass(kind, size)} {...(name === undefined ? {} : { 'aria-label': name })}>
        {icon && <Icon name={icon} size={14} />}
        <span className={cx(icon && styles.menuLabel)}>{label}</span>
        <Icon name="chevron-down" size={12} />
      </AriaButton>
      <Popover className={styles.popover ?? ''} placement="bottom start" offset={4}>
        <MenuList name={name ?? label} {...list} />
      </Popover>
    </MenuTrigger>
  );
}

type MenuListProps = Pick<MenuProps, 'heading' | 'entries' | 'selection' | 'onAction'>;

function MenuList(props: MenuListProps & { name: string; takesFocus?: boolean }): ReactElement {
  const { name, heading, entries, selection, onAction, takesFocus = false } = props;
  return (
    <AriaMenu
      className={styles.list ?? ''}
      aria-label={name}
      {...(takesFocus ? { autoFocus: 'first' } : {})}
      selectionMode={selection?.mode ?? 'none'}
      selectedKeys={selection?.ids ?? []}
      shouldCloseOnSelect={selection?.mode !== 'multiple'}
      onAction={(key) => onAction(String(key))}
    >
      <MenuSection aria-label={heading ?? name}>
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
            {entry.keys !== undefined && <KeyHint keys={entry.keys} />}
          </MenuItem>
        ))}
      </MenuSection>
    </AriaMenu>
  );
}

export interface ContextMenuProps extends Pick<MenuProps, 'entries' | 'onAction'> {
  name: string;
  /** In the window, in pixels. */
  at: { x: number; y: number };
  onClose: () => void;
}

/** A menu at a place of the window, for example at the pointer. */
export function ContextMenu({ name, at, entries, onAction, onClose }: ContextMenuProps): ReactElement {
  const place = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={place} className={styles.place} style={{ left: at.x, top: at.y }} />
      <Popover
        className={styles.popover ?? ''}
        aria-label={name}
        triggerRef={place}
        isOpen
        onOpenChange={onClose}
        placement="bottom start"
        offset={2}
      >
        <MenuList
          name={name}
          takesFocus
          entries={entries}
          onAction={(id) => {
            onClose();
            onAction(id);
          }}
        />
      </Popover>
    </>
  );
}
