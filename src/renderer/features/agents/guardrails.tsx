import { type FormEvent, type ReactElement, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import {
  type GuardrailField,
  type GuardrailsForm as Form,
  guardrailsStore,
  type Rule,
} from '#renderer/stores/agents/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { Banner, Button, Buttons, Card, Checkbox, NumberField, TextField } from '#renderer/ui/index.ts';
import type { AgentView } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { guardrailSentences, toolProfiles } from './agent-words.ts';
import styles from './agents.module.css';
import parts from './agents.module.css';

/** Limits for every agent. They only refuse. */
export function GuardrailsCard({ agents }: { agents: readonly AgentView[] }): ReactElement {
  const { stored, form, failure, edit } = useStore(guardrailsStore);
  const sentences = stored === null ? [] : guardrailSentences(stored);
  return (
    <Card
      level={2}
      title="Guardrails"
      actions={
        stored !== null && form === null ? (
          <Button onClick={edit}>{sentences.length === 0 ? 'Set limits…' : 'Edit…'}</Button>
        ) : undefined
      }
    >
      <p className={styles.soft}>
        Limits block requests; they never approve. What passes them waits for your approval as before.
      </p>
      {failure && (
        <Banner tone="warning" title={failure.message}>
          {failure.next}
        </Banner>
      )}
      {form !== null && <GuardrailsForm form={form} agents={agents} />}
      {form === null && stored !== null && <Limits sentences={sentences} />}
    </Card>
  );
}

function Limits({ sentences }: { sentences: string[] }): ReactElement {
  if (sentences.length === 0) return <p>No limit is set.</p>;
  return (
    <ul className={styles.sentences} aria-label="Limits">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

interface RuleProps {
  rule: Rule;
  label: string;
  hint: string;
  fields: { field: GuardrailField; label: string; unit?: string }[];
}

const rules: RuleProps[] = [
  {
    rule: 'bidFactor',
    label: 'Limit how far a bid may rise in one change',
    hint: 'A bid that is 0 now may then not be raised at all.',
    fields: [{ field: 'bidFactor', label: 'Times the current bid', unit: '×' }],
  },
  {
    rule: 'raise',
    label: 'Limit how much a change may add to the money at risk per day',
    hint: 'Unlimited is always more than that.',
    fields: [{ field: 'raise', label: 'Per day', unit: '$' }],
  },
  {
    rule: 'raiseUntilEnd',
    label: 'Limit how much a change may add to the money at risk until the end',
    hint: 'Of the flight or the total budget. A campaign that may run longer adds one day at least.',
    fields: [{ field: 'raiseUntilEnd', label: 'Until the end', unit: '$' }],
  },
  {
    rule: 'campaigns',
    label: 'Limit how many campaigns one change may touch',
    hint: 'Larger changes have to be proposed in parts.',
    fields: [{ field: 'campaigns', label: 'Campaigns' }],
  },
  {
    rule: 'pace',
    label: 'Limit how many changes one agent may propose',
    hint: 'Counts all of them, approved or denied.',
    fields: [
      { field: 'paceChanges', label: 'Changes' },
      { field: 'paceMinutes', label: 'Within (minutes)' },
    ],
  },
  {
    rule: 'spendPace',
    label: 'Limit how much one agent may add to the money at risk over time',
    hint: 'Counts what you approved for it and what waits for you.',
    fields: [
      { field: 'spendAmount', label: 'Per day', unit: '$' },
      { field: 'spendHours', label: 'Within (hours)' },
    ],
  },
  {
    rule: 'quiet',
    label: 'Quiet hours',
    hint: 'In the zone of their profile. From 22 until 7 spans midnight.',
    fields: [
      { field: 'quietFrom', label: 'From (hour)' },
      { field: 'quietUntil', label: 'Until (hour)' },
    ],
  },
];

/** The limits while they are edited. Nothing holds before Save. */
function GuardrailsForm({ form, agents }: { form: Form; agents: readonly AgentView[] }): ReactElement {
  const { refusal, errors, doing, save, discard } = useStore(guardrailsStore);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (doing === null) void save();
  }

  return (
    <form ref={element} className={parts.form} onSubmit={submit} noValidate aria-label="Guardrails">
      {rules.map((rule) => (
        <RuleFields key={rule.rule} {...rule} form={form} />
      ))}
      <Untouchable form={form} agents={agents} />
      {refusal && (
        <Banner tone="danger" title={refusal.failure.message}>
          {refusal.failure.next} The limits are as before.
        </Banner>
      )}
      <Buttons>
        <Button type="submit" kind="primary" disabled={doing !== null}>
          {doing === 'save' ? 'Saving…' : 'Save limits'}
        </Button>
        <Button kind="quiet" disabled={doing !== null} onClick={discard}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}

function RuleFields({ rule, label, hint, fields, form }: RuleProps & { form: Form }): ReactElement {
  const { errors, setOn, type } = useStore(guardrailsStore);
  return (
    <div className={parts.rule}>
      <Checkbox label={label} hint={hint} checked={form.on[rule]} onChange={(on) => setOn(rule, on)} />
      {form.on[rule] && (
        <div className={parts.fields}>
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

/** By profile, because two services may give the same id to different campaigns. */
function Untouchable({ form, agents }: { form: Form; agents: readonly AgentView[] }): ReactElement {
  const { errors, typeUntouchable } = useStore(guardrailsStore);
  const active = useStore(sessionStore, (state) => state.session?.profile);
  const known = toolProfiles(active, agents);
  const others = Object.keys(form.untouchable).filter((id) => !known.some((profile) => profile.id === id));
  const fields = [
    ...known.map(({ id, kind, name }) => ({
      id,
      label: `${kind === 'live' ? 'LIVE' : 'Demo'} · ${inertText(name)}`,
    })),
    ...others.map((id) => ({ id, label: `profile ${inertText(id)}` })),
  ];
  return (
    <>
      {fields.map(({ id, label }) => (
        <TextField
          key={id}
          label={`Campaigns that no agent may touch: ${label}`}
          value={form.untouchable[id] ?? ''}
          limit="Campaign IDs with spaces between them"
          error={errors[`untouchable.${id}`]}
          onChange={(text) => typeUntouchable(id, text)}
        />
      ))}
    </>
  );
}
