import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import {
  useFormats,
  Checkbox,
  NumberField,
  type PickerOption,
  Select,
  TextArea,
  TextField,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { type BudgetField, countries } from '#shared/campaign/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import { budgetColumns, budgetNames, countryWords, maxFound, maxSearchText } from '#shared/find/index.ts';
import { readAmount, readIds } from './condition-kinds.ts';
import { Boxes, containing, type FormProps, Frame } from './form-parts.tsx';

export function StatusForm({ was, onApply }: FormProps<'status'>): ReactElement {
  const [chosen, setChosen] = useState((was?.statuses ?? []).map(String));
  const made = { kind: 'status', statuses: chosen.map(Number) } as const;
  return (
    <Frame made={chosen.length > 0 ? { ...made } : null} onApply={onApply}>
      <Boxes
        label="Status"
        options={statusCodes.map((code) => ({ value: String(code), label: statusNames[code] }))}
        chosen={chosen}
        onChange={setChosen}
      />
    </Frame>
  );
}

export function TypeForm({ was, onApply }: FormProps<'type'>): ReactElement {
  const types = useStore(campaignsStore, (state) => state.types);
  const [names, setNames] = useState(was?.names ?? []);
  return (
    <Frame made={names.length > 0 ? { kind: 'type', names } : null} onApply={onApply}>
      <Boxes
        label="Type"
        options={[...new Set([...types.map(({ name }) => name), ...(was?.names ?? [])])].map((name) => ({
          value: name,
          label: name,
        }))}
        chosen={names}
        onChange={setNames}
      />
    </Frame>
  );
}

/** Countries of the account first, then every other one. */
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

export function CountryTargetingForm({ was, onApply }: FormProps<'countryTargeting'>): ReactElement {
  const [is, setIs] = useState(was?.is ?? 'all');
  return (
    <Frame made={{ kind: 'countryTargeting', is }} onApply={onApply}>
      <Segments
        label="Country targeting"
        value={is}
        options={[
          { id: 'all', label: 'All countries' },
          { id: 'custom', label: 'Chosen countries' },
        ]}
        onChange={setIs}
      />
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
