import { type ReactElement, type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { Button, buttonClass, type ButtonProps, IconButton } from '../controls/buttons.tsx';
import { Checkbox } from '../controls/choices.tsx';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import overlay from '../overlay/overlay.module.css';
import styles from './report.module.css';

export interface OrderedItem {
  id: string;
  label: string;
  chosen: boolean;
  fixed?: boolean;
}

export interface OrderedChoiceProps {
  label: string;
  items: readonly OrderedItem[];
  orderChosen?: boolean;
  onToggle: (id: string) => void;
  onMove: (id: string, step: 1 | -1) => void;
}

export function OrderedChoice(props: OrderedChoiceProps): ReactElement {
  const { label, items, orderChosen = false, onToggle, onMove } = props;
  const movable = items.filter(({ chosen }) => chosen || !orderChosen);
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => {
        const at = movable.indexOf(item);
        return (
          <li key={item.id} className={styles.item}>
            <Checkbox
              label={item.label}
              checked={item.chosen}
              disabled={item.fixed ?? false}
              onChange={() => onToggle(item.id)}
            />
            {at >= 0 && (
              <span className={overlay.fixed}>
                <IconButton
                  icon="arrow-up"
                  size="small"
                  label={`Move ${item.label} up`}
                  // `aria-disabled`, because a disabled button loses the focus and Escape could not close the panel.
                  aria-disabled={at === 0}
                  onClick={() => at > 0 && onMove(item.id, -1)}
                />
                <IconButton
                  icon="arrow-down"
                  size="small"
                  label={`Move ${item.label} down`}
                  aria-disabled={at === movable.length - 1}
                  onClick={() => at < movable.length - 1 && onMove(item.id, 1)}
                />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export interface SegmentsProps<Id extends string> {
  label: string;
  value: Id;
  options: readonly { id: Id; label: string }[];
  onChange: (id: Id) => void;
}

export function Segments<Id extends string>(props: SegmentsProps<Id>): ReactElement {
  const { label, value, options, onChange } = props;
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.id}
          size="small"
          kind={option.id === value ? 'secondary' : 'quiet'}
          aria-pressed={option.id === value}
          onClick={() => onChange(option.id)}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}

export interface PanelButtonProps {
  label: ReactNode;
  name: string;
  title?: string;
  icon?: IconName;
  kind?: ButtonProps['kind'];
  describedBy?: string | undefined;
  children: (close: () => void) => ReactNode;
}

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
        <span className={cx(icon && overlay.menuLabel)}>{label}</span>
        <Icon name="chevron-down" size={12} />
      </AriaButton>
      <Popover className={cx(overlay.popover, overlay.panel)} placement="bottom start" offset={4}>
        <AriaDialog className={overlay.list ?? ''} aria-label={title ?? name}>
          {children(() => setOpen(false))}
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}
