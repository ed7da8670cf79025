import { type ReactElement, useState, type ReactNode } from 'react';
import {
  useFormats,
  Checkbox,
  NumberField,
  type PickerOption,
  Select,
  TextArea,
  TextField,
  Button,
  Buttons,
  MemberPicker,
  common,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { type BudgetField, countries } from '#shared/campaign/index.ts';
import {
  budgetColumns,
  budgetNames,
  countryWords,
  maxFound,
  maxSearchText,
  type CampaignCondition,
} from '#shared/find/index.ts';
import { readAmount, readIds, type ConditionKind } from './condition-kinds.ts';
import type { CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import { foldedText } from '#shared/lib/folded-text.ts';

export function BoxesForm(props: {
  label: string;
  options: readonly PickerOption[];
  was: readonly string[];
  make: (chosen: string[]) => CampaignCondition;
  onApply: (condition: never) => void;
}): ReactElement {
  const { label, options, was, make, onApply } = props;
  const [chosen, setChosen] = useState<string[]>([...was]);
  return (
    <Frame made={chosen.length > 0 ? make(chosen) : null} onApply={onApply}>
      <Boxes label={label} options={options} chosen={chosen} onChange={setChosen} />
    </Frame>
  );
}

function countryOptions(seen: readonly string[]): PickerOption[] {
  const codes = new Set([...seen.map((code) => code.toUpperCase()), ...countries().map(({ code }) => code)]);
  return [...codes].map((code) => ({ value: code, label: countryWords(code), note: code }));
}

export function CountryForm({ was, values, onApply }: FormProps<'country'>): ReactElement {
  const [codes, setCodes] = useState(was?.codes ?? []);
  const [orAll, setOrAll] = useState(was?.orAll ?? true);
  return (
    <Frame made={codes.length > 0 ? { kind: 'country', codes, orAll } : null} onApply={onApply}>
      <Boxes
        label="Country"
        options={countryOptions([
          ...codes,
          ...(values?.lists['geo'] ?? []).map(({ value }) => String(value)),
        ])}
        chosen={codes}
        onChange={setCodes}
      />
      <Checkbox label="Include worldwide campaigns" checked={orAll} onChange={setOrAll} />
    </Frame>
  );
}

export function BudgetForm({ was, onApply }: FormProps<'budget'>): ReactElement {
  const [column, setColumn] = useState<BudgetField>(was?.column ?? 'd_revenue');
  const [is, setIs] = useState(was?.is ?? 'above');
  const [typed, setTyped] = useState(was === null ? '' : String(was.amount));
  const amount = readAmount(typed);
  return (
    <Frame made={amount === null ? null : { kind: 'budget', column, is, amount }} onApply={onApply}>
      <Select
        label="Budget"
        value={column}
        options={budgetColumns.map((id) => ({ id, label: budgetNames[id] }))}
        onChange={(id) => setColumn(id as BudgetField)}
      />
      <Segments
        label="Compared with the amount"
        value={is}
        options={[
          { id: 'above', label: 'Above' },
          { id: 'below', label: 'Below' },
        ]}
        onChange={setIs}
      />
      <NumberField
        label="Amount"
        unit="$"
        value={typed}
        limit="Unlimited is above every amount."
        error={amountError(typed)}
        autoFocus
        onChange={setTyped}
      />
    </Frame>
  );
}

const amountError = (typed: string): string | undefined =>
  typed.trim() === '' || readAmount(typed) !== null ? undefined : 'Enter an amount such as 100 or 0.05.';

export function BidForm({ was, onApply }: FormProps<'bid'>): ReactElement {
  const [minText, setMinText] = useState(was?.min?.toString() ?? '');
  const [maxText, setMaxText] = useState(was?.max?.toString() ?? '');
  const [min, max] = [readAmount(minText), readAmount(maxText)];
  const isWrong = [minText, maxText].some((typed) => amountError(typed) !== undefined);
  const isEmpty = min === null && max === null;
  const isReversed = min !== null && max !== null && min > max;
  return (
    <Frame made={isWrong || isEmpty || isReversed ? null : { kind: 'bid', min, max }} onApply={onApply}>
      <NumberField
        label="At least"
        unit="$"
        value={minText}
        error={amountError(minText)}
        autoFocus
        onChange={setMinText}
      />
      <NumberField
        label="At most"
        unit="$"
        value={maxText}
        error={amountError(maxText) ?? (isReversed ? 'This is less than the lower bound.' : undefined)}
        onChange={setMaxText}
      />
    </Frame>
  );
}

export function NameForm({ was, onApply }: FormProps<'name'>): ReactElement {
  const [is, setIs] = useState(was?.is ?? 'contains');
  const [text, setText] = useState(was?.text ?? '');
  return (
    <Frame made={text.trim() === '' ? null : { kind: 'name', is, text: text.trim() }} onApply={onApply}>
      <Segments label="Name" value={is} options={containing} onChange={setIs} />
      <TextField label="Text" value={text} maxLength={maxSearchText} autoFocus onChange={setText} />
    </Frame>
  );
}

export function IdsForm({ was, onApply }: FormProps<'ids'>): ReactElement {
  const formats = useFormats();
  const [typed, setTyped] = useState(was?.cids.join(', ') ?? '');
  const cids = readIds(typed);
  const isMade = cids.length > 0 && cids.length <= maxFound;
  return (
    <Frame made={isMade ? { kind: 'ids', cids } : null} onApply={onApply}>
      <TextArea
        label="Campaign IDs"
        rows={4}
        value={typed}
        autoFocus
        limit={`Typed or pasted, with any separator; at most ${formats.count(maxFound)}. Now ${formats.count(cids.length)}.`}
        onChange={setTyped}
      />
    </Frame>
  );
}

export type Condition<K extends ConditionKind> = Extract<CampaignCondition, { kind: K }>;

export interface FormProps<K extends ConditionKind> {
  was: Condition<K> | null;
  values: CampaignValues | null;
  onApply: (condition: Condition<K>) => void;
}

interface FrameProps {
  made: CampaignCondition | null;
  onApply: (condition: never) => void;
  children: ReactNode;
}

export function Frame({ made, onApply, children }: FrameProps): ReactElement {
  return (
    <form
      className={common.stack3}
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
            // The first Enter adds the typed country, the second applies the filter.
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

export const containing = [
  { id: 'contains', label: 'Contains' },
  { id: 'lacks', label: 'Does not contain' },
] as const;

export function YesNoForm(props: {
  words: readonly [label: string, yes: string, no: string];
  was: boolean;
  make: (is: boolean) => CampaignCondition;
  onApply: (condition: never) => void;
  hint?: string;
}): ReactElement {
  const { words, was, make, onApply, hint } = props;
  const [label, yes, no] = words;
  const [is, setIs] = useState<'yes' | 'no'>(was ? 'yes' : 'no');
  return (
    <Frame made={make(is === 'yes')} onApply={onApply}>
      <Segments
        label={label}
        value={is}
        options={[
          { id: 'yes', label: yes },
          { id: 'no', label: no },
        ]}
        onChange={setIs}
      />
      {hint !== undefined && <p className={common.quiet}>{hint}</p>}
    </Frame>
  );
}
