import { type ReactElement, useId } from 'react';
import {
  Button as AriaButton,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
} from 'react-aria-components/Select';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import styles from '../overlay/overlay.module.css';
import { buttonClass } from './buttons.tsx';
import fieldStyles from './controls.module.css';
import { describedBy, FieldFrame, type FieldFrameProps } from './fields.tsx';

export interface SelectOption {
  id: string;
  label: string;
  refused?: string | undefined;
}

export interface SelectProps extends Pick<
  FieldFrameProps,
  'limit' | 'error' | 'changed' | 'disabled' | 'note'
> {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (id: string) => void;
}

export function Select(props: SelectProps): ReactElement {
  const id = useId();
  const { label, value, options, onChange, limit, error, changed, disabled = false, note } = props;
  const chosen = options.find((option) => option.id === value)?.label ?? value;
  return (
    <FieldFrame {...{ id, label, limit, error, changed, disabled, note }}>
      <AriaSelect
        aria-label={label}
        selectedKey={value}
        isDisabled={disabled}
        isInvalid={error !== undefined}
        onSelectionChange={(key) => onChange(String(key))}
      >
        <AriaButton
          id={id}
          aria-label={`${label}: ${chosen}`}
          className={cx(buttonClass('secondary'), styles.trigger, fieldStyles.selectTrigger)}
        >
          <span className={styles.value}>{chosen}</span>
          <Icon name="chevron-down" size={12} />
        </AriaButton>
        <Popover className={styles.popover ?? ''} offset={4}>
          <ListBox className={styles.list ?? ''} aria-label={label}>
            {options.map((option) => (
              <ListBoxItem
                key={option.id}
                id={option.id}
                textValue={option.label}
                isDisabled={option.refused !== undefined}
                className={styles.item ?? ''}
              >
                <span className={styles.mark}>{option.id === value && <Icon name="check" size={14} />}</span>
                <span className={styles.popoverText}>{option.label}</span>
                {option.refused !== undefined && <span className={styles.note}>{option.refused}</span>}
              </ListBoxItem>
            ))}
          </ListBox>
        </Popover>
      </AriaSelect>
    </FieldFrame>
  );
}

/** A native select: the system draws its list above a dialog, which a popover cannot do. */
export function NativeSelect(props: Omit<SelectProps, 'note' | 'changed'>): ReactElement {
  const id = useId();
  const { label, value, options, onChange, limit, error, disabled } = props;
  return (
    <FieldFrame {...{ id, label, limit, error, disabled }}>
      <div className={fieldStyles.control}>
        <select
          id={id}
          value={value}
          disabled={disabled}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { limit, error })}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.id} value={option.id} disabled={option.refused !== undefined}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size={12} />
      </div>
    </FieldFrame>
  );
}
