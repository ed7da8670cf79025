import { type ReactElement, useState } from 'react';
import type { CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import {
  type CampaignCondition,
  findableLists,
  findablePricings,
  maxSearchText,
} from '#shared/find/index.ts';
import { type ConditionKind, readDomain } from './condition-kinds.ts';
import {
  type Condition,
  type FormProps,
  Frame,
  YesNoForm,
  Boxes,
  containing,
  BidForm,
  BudgetForm,
  CountryForm,
  BoxesForm,
  IdsForm,
  NameForm,
} from './list-forms.tsx';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { Checkbox, NumberField, Select, TextField, common } from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { fieldLabel, targetingDimensions } from '#shared/campaign/index.ts';

export interface ConditionFormProps {
  kind: ConditionKind;
  was: CampaignCondition | null;
  values: CampaignValues | null;
  onApply: (condition: CampaignCondition) => void;
}

export function ConditionForm({ kind, was, values, onApply }: ConditionFormProps): ReactElement | null {
  const of = <K extends ConditionKind>(wanted: K): FormProps<K> => ({
    was: was?.kind === wanted ? (was as Condition<K>) : null,
    values,
    onApply,
  });
  switch (kind) {
    case 'status':
      return (
        <BoxesForm
          label="Status"
          options={statusCodes.map((code) => ({ value: String(code), label: statusNames[code] }))}
          was={(of(kind).was?.statuses ?? []).map(String)}
          make={(chosen) => ({ kind, statuses: chosen.map(Number) })}
          onApply={onApply}
        />
      );
    case 'type':
      return <TypeForm {...of(kind)} />;
    case 'country':
      return <CountryForm {...of(kind)} />;
    case 'countryTargeting':
      return (
        <YesNoForm
          words={['Country targeting', 'All countries', 'Chosen countries']}
          was={of(kind).was?.is !== 'custom'}
          make={(isAll) => ({ kind, is: isAll ? 'all' : 'custom' })}
          onApply={onApply}
        />
      );
    case 'budget':
      return <BudgetForm {...of(kind)} />;
    case 'bid':
      return <BidForm {...of(kind)} />;
    case 'name':
      return <NameForm {...of(kind)} />;
    case 'ids':
      return <IdsForm {...of(kind)} />;
    case 'bidControls':
      return (
        <YesNoForm
          words={['Bid controls', 'Has some', 'Has none']}
          was={of(kind).was?.has ?? true}
          make={(has) => ({ kind, has })}
          onApply={onApply}
        />
      );
    case 'spendsToday':
      return (
        <YesNoForm
          words={['At risk today', 'Any amount', 'Without a limit']}
          was={of(kind).was?.limit !== 'none'}
          hint="Flight and schedule count once a campaign was read in full."
          make={(isAny) => ({ kind, limit: isAny ? 'any' : 'none' })}
          onApply={onApply}
        />
      );
    case 'label':
      return <LabelForm {...of(kind)} />;
    case 'note':
      return (
        <YesNoForm
          words={['Note', 'Has a note', 'Has none']}
          was={of(kind).was?.has ?? true}
          make={(has) => ({ kind, has })}
          onApply={onApply}
        />
      );
    case 'runsNow':
      return (
        <YesNoForm
          words={['At this moment', 'Runs', 'Does not run']}
          was={of(kind).was?.runs ?? true}
          hint="By status, flight and weekly schedule, each on its own clock."
          make={(runs) => ({ kind, runs })}
          onApply={onApply}
        />
      );
    case 'endsWithin':
      return <EndsWithinForm {...of(kind)} />;
    case 'noEnd':
      return (
        <Frame made={{ kind }} onApply={onApply}>
          <p className={common.quiet}>Campaigns whose flight is off or has no end date.</p>
        </Frame>
      );
    case 'domain':
      return <DomainForm {...of(kind)} />;
    case 'member':
      return <MemberForm {...of(kind)} />;
    case 'pricing':
      return (
        <BoxesForm
          label="Pricing"
          options={findablePricings.map((value) => ({ value, label: value === 'other' ? 'Other' : value }))}
          was={of(kind).was?.pricings ?? []}
          make={(chosen) => ({ kind, pricings: findablePricings.filter((one) => chosen.includes(one)) })}
          onApply={onApply}
        />
      );
  }
}

function TypeForm({ was, onApply }: FormProps<'type'>): ReactElement {
  const types = useStore(campaignsStore, (state) => state.types);
  const names = new Set([...types.map(({ name }) => name), ...(was?.names ?? [])]);
  return (
    <BoxesForm
      label="Type"
      options={[...names].map((name) => ({ value: name, label: name }))}
      was={was?.names ?? []}
      make={(chosen) => ({ kind: 'type', names: chosen })}
      onApply={onApply}
    />
  );
}

function LabelForm({ was, onApply }: FormProps<'label'>): ReactElement {
  const known = useStore(notesStore, (state) => state.labels);
  const [is, setIs] = useState(was?.is ?? 'any');
  const [labels, setLabels] = useState(was?.labels ?? []);
  if (known.length === 0) {
    return <p className={common.quiet}>No labels yet. Select campaigns, then press Labels below the list.</p>;
  }
  return (
    <Frame made={labels.length > 0 ? { kind: 'label', labels, is } : null} onApply={onApply}>
      <Segments
        label="Labels"
        value={is}
        options={[
          { id: 'any', label: 'Has one of' },
          { id: 'none', label: 'Has none of' },
        ]}
        onChange={setIs}
      />
      <Boxes
        label="Label"
        options={known.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={labels}
        onChange={setLabels}
      />
    </Frame>
  );
}

const maxDays = 3_650;

function EndsWithinForm({ was, onApply }: FormProps<'endsWithin'>): ReactElement {
  const [typed, setTyped] = useState(String(was?.days ?? 7));
  const days = /^\d{1,4}$/u.test(typed.trim()) ? Number(typed) : null;
  const isDays = days !== null && days <= maxDays;
  return (
    <Frame made={isDays ? { kind: 'endsWithin', days } : null} onApply={onApply}>
      <NumberField
        label="Ends within (days)"
        value={typed}
        limit="Counted from today on the service’s clock; 0 is today."
        error={isDays ? undefined : 'Enter a whole number of days.'}
        onChange={setTyped}
      />
    </Frame>
  );
}

function DomainForm({ was, onApply }: FormProps<'domain'>): ReactElement {
  const [typed, setTyped] = useState(was?.domain ?? '');
  const domain = readDomain(typed);
  return (
    <Frame made={domain === '' ? null : { kind: 'domain', domain }} onApply={onApply}>
      <TextField
        label="Domain"
        value={typed}
        placeholder="shop.example"
        limit="Of the click URL or website; includes everything below it."
        maxLength={maxSearchText}
        autoFocus
        onChange={setTyped}
      />
    </Frame>
  );
}

const anyList = '*';

function listNames(values: CampaignValues | null): string[] {
  return [...new Set([...findableLists, ...Object.keys(values?.lists ?? {})])].toSorted();
}

function MemberForm({ was, values, onApply }: FormProps<'member'>): ReactElement {
  const [field, setField] = useState(was?.field ?? anyList);
  const [is, setIs] = useState(was?.is ?? 'contains');
  const [member, setMember] = useState(was?.member ?? '');
  const [orAll, setOrAll] = useState(was?.orAll ?? true);
  const named = field === anyList ? null : field;
  const many = targetingDimensions.find(({ list }) => list === named)?.many;
  const made = {
    kind: 'member',
    field: named,
    is,
    member: member.trim(),
    orAll: orAll && many !== undefined,
  } as const;
  return (
    <Frame made={made.member === '' ? null : made} onApply={onApply}>
      <Select
        label="List"
        value={field}
        options={[
          { id: anyList, label: 'Any list' },
          ...listNames(values).map((id) => ({ id, label: fieldLabel(id) })),
        ]}
        onChange={setField}
      />
      <Segments label="List" value={is} options={containing} onChange={setIs} />
      <TextField
        label="Entry"
        value={member}
        limit="A whole entry, for example DE, iOS or a publisher’s ID."
        maxLength={maxSearchText}
        autoFocus
        onChange={setMember}
      />
      {many !== undefined && (
        <Checkbox label={`“All ${many}” counts as containing it`} checked={orAll} onChange={setOrAll} />
      )}
    </Frame>
  );
}
