import { type FormEvent, type ReactElement, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import {
  guardrailSentences,
  limitsSentence,
  withoutMain,
  type GuardrailField,
  type GuardrailsForm as Form,
  type Rule,
} from '#renderer/stores/agents/guardrails-form.ts';
import { isOutdated, guardrailsStore } from '#renderer/stores/agents/guardrails-store.ts';
import { policyStore } from './stores/page-stores.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Banner,
  Button,
  Buttons,
  Card,
  changeAndFocus,
  Checkbox,
  Icon,
  NumberField,
  common,
  cx,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { AgentView, Guardrails, ProfileView } from '#shared/app-api/index.ts';
import { ProfileChoice, useShownProfile } from './tools.tsx';
import styles from './agents.module.css';
import { ProtectedCampaigns } from './protected-campaigns.tsx';

const formId = 'guardrails-form';

export function GuardrailsCard({ agents }: { agents: readonly AgentView[] }): ReactElement {
  const formats = useFormats();
  const { profileId, stored, form, failure, edit, show } = useStore(guardrailsStore);
  const { profiles, shown, isActive } = useShownProfile(agents, { profileId, show });
  const hasLimits = stored !== null && guardrailSentences(stored, formats).length > 0;
  return (
    <Card
      level={2}
      title="Guardrails"
      actions={
        stored !== null && form === null ? (
          <Button
            onClick={() =>
              changeAndFocus(
                () => edit(),
                () => document.getElementById(formId)?.querySelector('input'),
              )
            }
          >
            {hasLimits ? 'Edit…' : 'Set limits…'}
          </Button>
        ) : undefined
      }
    >
      <p className={styles.soft}>
        Limits block requests; they never approve.{' '}
        <a href={routeHref({ page: 'guide', place: 'guardrails' })}>Read about guardrails</a>
      </p>
      {failure && <FailureBanner tone="warning" failure={failure} />}
      {form === null && <ProfileChoice profiles={profiles} shown={shown} onShow={show} />}
      <FixedLimits />
      {form !== null && <GuardrailsForm form={form} isActive={isActive} />}
      {form === null && stored !== null && shown && <Limits guardrails={stored} kind={shown.kind} />}
    </Card>
  );
}

function Limits(props: { guardrails: Guardrails; kind: ProfileView['kind'] }): ReactElement {
  const formats = useFormats();
  const { guardrails, kind } = props;
  const others = guardrailSentences(withoutMain(guardrails), formats);
  return (
    <>
      <p>{limitsSentence(guardrails, kind, formats)}</p>
      {others.length > 0 && <Sentences sentences={others} label="Limits" />}
    </>
  );
}

function Sentences(props: { sentences: readonly string[]; label?: string }): ReactElement {
  return (
    <ul className={cx(common.stack1, styles.sentences)} aria-label={props.label}>
      {props.sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function FixedLimits(): ReactElement | null {
  const formats = useFormats();
  const policy = useStore(policyStore, (state) => state.policy);
  useEffect(() => policyStore.getState().start(), []);
  const sentences = policy?.guardrails ? guardrailSentences(policy.guardrails, formats) : [];
  if (sentences.length === 0) return null;
  return (
    <section className={cx(common.stack2, styles.fixed)} aria-label="Fixed by your administrator">
      <p>
        <Icon name="lock" size={14} /> Fixed by your administrator for every profile. Yours can only be
        tighter.
      </p>
      <Sentences sentences={sentences} />
    </section>
  );
}

interface RuleProps {
  rule: Rule;
  label: string;
  hint?: string;
  fields: { field: GuardrailField; label: string; unit?: string }[];
}

const rules: RuleProps[] = [
  {
    rule: 'bidFactor',
    label: 'Limit how far a bid may rise in one change',
    hint: 'A bid of 0 can’t be raised then.',
    fields: [{ field: 'bidFactor', label: 'Times the current bid', unit: '×' }],
  },
  {
    rule: 'raise',
    label: 'Limit how much a change may add to the money at risk per day',
    hint: 'Unlimited is always blocked.',
    fields: [{ field: 'raise', label: 'Per day', unit: '$' }],
  },
  {
    rule: 'raiseUntilEnd',
    label: 'Limit how much a change may add to the money at risk until the end',
    hint: 'Until the flight or the total budget ends. Running longer adds one day at least.',
    fields: [{ field: 'raiseUntilEnd', label: 'Until the end', unit: '$' }],
  },
  {
    rule: 'campaigns',
    label: 'Limit how many campaigns one change may touch',
    fields: [{ field: 'campaigns', label: 'Campaigns' }],
  },
  {
    rule: 'pace',
    label: 'Limit how many changes one agent may propose',
    hint: 'Denied changes count too.',
    fields: [
      { field: 'paceChanges', label: 'Changes' },
      { field: 'paceMinutes', label: 'Within (minutes)' },
    ],
  },
  {
    rule: 'spendPace',
    label: 'Limit how much one agent may add to the money at risk over time',
    hint: 'Counts approved and waiting changes.',
    fields: [
      { field: 'spendAmount', label: 'Per day', unit: '$' },
      { field: 'spendHours', label: 'Within (hours)' },
    ],
  },
  {
    rule: 'quiet',
    label: 'Quiet hours',
    hint: 'In the profile’s time zone.',
    fields: [
      { field: 'quietFrom', label: 'From (hour)' },
      { field: 'quietUntil', label: 'Until (hour)' },
    ],
  },
];

function GuardrailsForm({ form, isActive }: { form: Form; isActive: boolean }): ReactElement {
  const { refusal, errors, doing, focus, save, discard, stored, base } = useStore(guardrailsStore);
  const outdated = isOutdated({ stored, base });
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);
  useEffect(() => {
    if (focus === null) return;
    const setting = element.current?.querySelector<HTMLElement>(`[data-setting=${focus}]`);
    setting?.scrollIntoView({ block: 'center' });
    setting?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true });
  }, [focus]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (doing !== null || outdated) return;
    void save();
  }

  return (
    <form
      ref={element}
      id={formId}
      className={cx(common.stack4, styles.form)}
      onSubmit={submit}
      noValidate
      aria-label="Guardrails"
    >
      {rules.map((rule) => (
        <RuleFields key={rule.rule} {...rule} form={form} />
      ))}
      <ProtectedCampaigns chosen={form.untouchable} isActive={isActive} />
      {outdated && stored !== null && <ChangedMeanwhile stored={stored} />}
      {refusal && !outdated && (
        <FailureBanner failure={refusal.failure}>The limits are as before.</FailureBanner>
      )}
      <Buttons>
        <Button type="submit" kind="primary" disabled={doing !== null || outdated}>
          {doing === 'save' ? 'Saving…' : 'Save limits'}
        </Button>
        <Button kind="quiet" disabled={doing !== null} onClick={discard}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}

function ChangedMeanwhile({ stored }: { stored: Guardrails }): ReactElement {
  const formats = useFormats();
  const { settle } = useStore(guardrailsStore);
  const sentences = guardrailSentences(stored, formats);
  function choose(keep: 'mine' | 'theirs', button: HTMLButtonElement): void {
    const { form } = button;
    changeAndFocus(
      () => settle(keep),
      () => form?.querySelector<HTMLElement>('[type=submit]'),
    );
  }
  return (
    <Banner
      tone="warning"
      title="These limits were changed meanwhile."
      actions={
        <>
          <Button size="small" onClick={({ currentTarget }) => choose('mine', currentTarget)}>
            Keep mine
          </Button>
          <Button size="small" onClick={({ currentTarget }) => choose('theirs', currentTarget)}>
            Take theirs
          </Button>
        </>
      }
    >
      Stored now: {sentences.length > 0 ? sentences.join(' ') : 'no limits.'} With <em>Keep mine</em>, limits
      that you did not edit are taken from there.
    </Banner>
  );
}

function RuleFields({ rule, label, hint, fields, form }: RuleProps & { form: Form }): ReactElement {
  const { errors, setOn, type } = useStore(guardrailsStore);
  return (
    <div className={common.stack2} data-setting={rule}>
      <Checkbox label={label} hint={hint} checked={form.on[rule]} onChange={(on) => setOn(rule, on)} />
      {form.on[rule] && (
        <div className={styles.fields}>
          {fields.map(({ field, label: name, unit }) => (
            <NumberField
              key={field}
              label={name}
              unit={unit}
              value={form.typed[field]}
              error={errors[field]}
              onChange={(text) => type(field, text)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
