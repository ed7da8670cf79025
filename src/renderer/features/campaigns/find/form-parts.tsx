import { type ReactElement, type ReactNode, useState } from 'react';
import type { CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import { Button, Buttons, MemberPicker, type PickerOption, TextField } from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import type { ConditionKind } from './condition-kinds.ts';
import styles from './find.module.css';

export type Condition<K extends ConditionKind> = Extract<CampaignCondition, { kind: K }>;

export interface FormProps<K extends ConditionKind> {
  /** The condition that is edited; null for a new one. */
  was: Condition<K> | null;
  values: CampaignValues | null;
  onApply: (condition: Condition<K>) => void;
}

interface FrameProps {
  /** Null while what was entered is no condition. */
  made: CampaignCondition | null;
  onApply: (condition: never) => void;
  children: ReactNode;
}

/** The fields of one condition, applied by Enter or the button. */
export function Frame({ made, onApply, children }: FrameProps): ReactElement {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (made !== null) onApply(made as never);
      }}
    >
      {children}
      <Buttons>
        <Button type="submit" kind="primary" disabled={made === null}>
          Apply filter
        </Button>
      </Buttons>
    </form>
  );
}

/** Members of a set as boxes; typing narrows a long list. */
export function Boxes(props: {
  label: string;
  options: readonly PickerOption[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}): ReactElement {
  const { label, options, chosen, onChange } = props;
  const [typed, setTyped] = useState('');
  const isLong = options.length > 8;
  const text = foldedText(typed.trim());
  const shown = options.filter(
    (option) => foldedText(option.label).includes(text) || foldedText(option.value) === text,
  );
  return (
    <>
      {isLong && (
        <TextField
          label={`Find a ${label.toLowerCase()}`}
          value={typed}
          autoFocus
          onChange={setTyped}
          onKeyDown={(event) => {
            const [first] = shown;
            if (event.key !== 'Enter' || text === '' || first === undefined || chosen.includes(first.value))
              return;
            // The first Enter takes the country that was typed, the next one applies.
            event.preventDefault();
            setTyped('');
            onChange([...chosen, first.value]);
          }}
        />
      )}
      <MemberPicker
        label={label}
        options={shown}
        chosen={new Set(chosen)}
        onToggle={(value, isChosen) =>
          onChange(isChosen ? [...chosen, value] : chosen.filter((one) => one !== value))
        }
      />
    </>
  );
}

/** The two ways in which a text or a list may be held against an entry. */
export const containing = [
  { id: 'contains', label: 'Contains' },
  { id: 'lacks', label: 'Does not contain' },
] as const;

type YesNo = 'yes' | 'no';

/** A condition that holds or does not. */
export function YesNoForm(props: {
  label: string;
  was: boolean;
  yes: string;
  no: string;
  make: (is: boolean) => CampaignCondition;
  onApply: (condition: never) => void;
  hint?: string;
}): ReactElement {
  const { label, was, yes, no, make, onApply, hint } = props;
  const [is, setIs] = useState<YesNo>(was ? 'yes' : 'no');
  const options = [
    { id: 'yes', label: yes },
    { id: 'no', label: no },
  ] as const;
  return (
    <Frame made={make(is === 'yes')} onApply={onApply}>
      <Segments label={label} value={is} options={options} onChange={setIs} />
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </Frame>
  );
}
