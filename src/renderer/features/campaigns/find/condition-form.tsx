import type { ReactElement } from 'react';
import type { CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import type { ConditionKind } from './condition-kinds.ts';
import styles from './find.module.css';
import { type Condition, type FormProps, Frame, YesNoForm } from './form-parts.tsx';
import { DomainForm, EndsWithinForm, LabelForm, MemberForm, PricingForm } from './full-forms.tsx';
import {
  BidForm,
  BudgetForm,
  CountryForm,
  CountryTargetingForm,
  IdsForm,
  NameForm,
  StatusForm,
  TypeForm,
} from './list-forms.tsx';

export interface ConditionFormProps {
  kind: ConditionKind;
  was: CampaignCondition | null;
  values: CampaignValues | null;
  onApply: (condition: CampaignCondition) => void;
}

/** The form of one kind of condition. */
export function ConditionForm({ kind, was, values, onApply }: ConditionFormProps): ReactElement | null {
  const of = <K extends ConditionKind>(wanted: K): FormProps<K> => ({
    was: was?.kind === wanted ? (was as Condition<K>) : null,
    values,
    onApply,
  });
  switch (kind) {
    case 'status':
      return <StatusForm {...of(kind)} />;
    case 'type':
      return <TypeForm {...of(kind)} />;
    case 'country':
      return <CountryForm {...of(kind)} />;
    case 'countryTargeting':
      return <CountryTargetingForm {...of(kind)} />;
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
          label="Bid controls"
          was={of(kind).was?.has ?? true}
          yes="Has some"
          no="Has none"
          make={(has) => ({ kind, has })}
          onApply={onApply}
        />
      );
    case 'label':
      return <LabelForm {...of(kind)} />;
    case 'note':
      return (
        <YesNoForm
          label="Note"
          was={of(kind).was?.has ?? true}
          yes="Has a note"
          no="Has none"
          make={(has) => ({ kind, has })}
          onApply={onApply}
        />
      );
    case 'runsNow':
      return (
        <YesNoForm
          label="At this moment"
          was={of(kind).was?.runs ?? true}
          yes="Runs"
          no="Does not run"
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
          <p className={styles.hint}>Campaigns whose flight is off or has no end date.</p>
        </Frame>
      );
    case 'domain':
      return <DomainForm {...of(kind)} />;
    case 'member':
      return <MemberForm {...of(kind)} />;
    case 'pricing':
      return <PricingForm {...of(kind)} />;
  }
}
