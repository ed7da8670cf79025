import { useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { alertsStore } from '#renderer/stores/alerts-store.ts';
import { reportsStore } from '../stores/stores.ts';
import { Button, Buttons, FailureBanner, Select, TextField, common, cx } from '#renderer/ui/index.ts';
import type { AlertView, ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  columnLabel,
  dimensionInSentence,
  dimensionLabel,
  type MetricColumn,
  reportDimensions,
  reportMetrics,
  type ReportKind,
} from '#shared/reports/index.ts';
import { sourceLabel } from '../marks/mark-control.tsx';
import styles from '../panels.module.css';
import {
  type AlertDraft,
  draftFor,
  draftOf,
  errorsOf,
  ruleOf,
  trialOf,
  wholeReport,
  withProposal,
} from './alert-draft.ts';
import { AlertTrial, useProposal, useTrial } from './alert-trial.tsx';

export interface AlertFormProps {
  alert: AlertView | null;
  source: ReportSource;
  only: ReportValue | null;
  /** Proposes a threshold for this metric until a person changes the condition. Then the form has no heading. */
  proposeFor?: string;
  onDone: (saved: boolean) => void;
}

export function AlertForm(props: AlertFormProps): ReactElement {
  const { alert, proposeFor, onDone } = props;
  const { save, doing, refusal } = useStore(alertsStore);
  const [source, setSource] = useState(alert?.rule.source ?? props.source);
  const [draft, setDraft] = useState(() =>
    proposeFor === undefined
      ? draftOf(source, alert?.rule ?? null, props.only)
      : draftFor(source, props.only, proposeFor),
  );
  const [isProposed, setProposed] = useState(proposeFor !== undefined);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const refused = new Map(refusal?.failure.fields.map(({ field, message }) => [field, message]));
  const errors = tried ? errorsOf(draft) : {};
  const trial = trialOf(source, draft);
  useTrial(trial);
  useProposal(isProposed ? trial : null, (proposal) => setDraft(withProposal(source, draft, proposal)));

  function put(change: Partial<AlertDraft>): void {
    if (change.amount !== undefined || change.condition !== undefined) setProposed(false);
    const isOtherMetric = isProposed && change.metric !== undefined;
    const fresh = isOtherMetric ? draftFor(source, trial.only, change.metric ?? '') : draft;
    setDraft({ ...fresh, ...change });
  }

  const fields: FieldsProps = { kind: source.kind, draft, errors, refused, put };
  const first = proposeFor === undefined ? 'button, select' : 'input';
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [first]);
  useEffect(() => {
    if (tried) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tried, refusal]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (Object.keys(errorsOf(draft)).length > 0) return;
    if (await save(alert?.id ?? null, ruleOf(source, draft))) onDone(true);
  }

  return (
    <form
      ref={form}
      className={cx(common.stack3, styles.form)}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={alert ? 'Edit alert' : 'Add alert'}
    >
      {proposeFor === undefined && <h2 className={common.heading}>{alert ? 'Edit alert' : 'Add alert'}</h2>}
      <div className={styles.fields}>
        <SourceSelect
          source={source}
          onChange={(next) => {
            if (next.kind !== source.kind) setDraft(draftOf(next, null, null));
            setSource(next);
          }}
        />
        <ConditionFields {...fields} />
      </div>
      <AlertTrial trial={trial} />
      <ScopeFields {...fields} />
      <VolumeFields {...fields} />
      {refusal && refused.size === 0 && <FailureBanner failure={refusal.failure} />}
      <Buttons>
        <Button type="submit" kind="primary" disabled={doing !== null}>
          {alert ? 'Save alert' : 'Add alert'}
        </Button>
        <Button kind="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}

interface FieldsProps {
  kind: ReportKind;
  draft: AlertDraft;
  errors: { amount?: string; least?: string };
  refused: ReadonlyMap<string, string>;
  put: (change: Partial<AlertDraft>) => void;
}

function ConditionFields({ kind, draft, errors, refused, put }: FieldsProps): ReactElement {
  const metrics = reportMetrics[kind];
  const unit = metrics.find(({ id }) => id === draft.metric)?.kind ?? 'count';
  const isChange = draft.condition === 'down' || draft.condition === 'up';
  return (
    <>
      <Select
        label="Metric"
        value={draft.metric}
        options={metrics.map(({ id }) => ({ id, label: columnLabel({ id, label: null }) }))}
        error={refused.get('metric')}
        onChange={(metric) => put({ metric })}
      />
      <Select
        label="Days"
        value={draft.window}
        options={[
          { id: 'yesterday', label: 'Yesterday' },
          { id: 'last7', label: 'Last 7 days' },
        ]}
        onChange={(window) => put({ window: window === 'last7' ? 'last7' : 'yesterday' })}
      />
      <Select
        label="Condition"
        value={draft.condition}
        options={conditions}
        onChange={(id) => put({ condition: conditions.find((one) => one.id === id)?.id ?? 'below' })}
      />
      <TextField
        label={amountLabel(unit, isChange)}
        value={draft.amount}
        placeholder={isChange && unit !== 'share' ? '30' : unit === 'share' ? '2.5' : '100'}
        error={errors.amount ?? refused.get('percent')}
        onChange={(amount) => put({ amount })}
      />
      {isChange && (
        <Select
          label="Against"
          value={draft.against}
          options={[
            { id: 'weekdays', label: 'Same weekdays before' },
            { id: 'previous', label: 'Previous period' },
          ]}
          onChange={(against) => put({ against: against === 'previous' ? 'previous' : 'weekdays' })}
        />
      )}
    </>
  );
}

function amountLabel(unit: MetricColumn['kind'], isChange: boolean): string {
  if (unit === 'share') return isChange ? 'Percentage points' : 'Percent';
  if (isChange) return 'Percent';
  return unit === 'count' ? 'Count' : 'Amount in $';
}

function ScopeFields({ kind, draft, refused, put }: FieldsProps): ReactElement {
  return (
    <div className={styles.fields}>
      <Select
        label="Scope"
        value={draft.dimension}
        options={[
          { id: wholeReport, label: 'The whole report' },
          ...scopeDimensions(kind, draft.dimension).map((id) => ({
            id,
            label: inertText(`One ${dimensionInSentence(id)}`),
          })),
        ]}
        error={refused.get('only')}
        onChange={(dimension) => put({ dimension })}
      />
      {draft.dimension !== wholeReport && (
        <TextField
          label={inertText(dimensionLabel(draft.dimension))}
          value={draft.value}
          limit="Exactly as the service sends it"
          onChange={(value) => put({ value })}
        />
      )}
    </div>
  );
}

function scopeDimensions(kind: ReportKind, own: string): string[] {
  const known = reportDimensions[kind].filter((dimension) => dimension !== 'date');
  return own === wholeReport || known.includes(own) ? known : [...known, own];
}

function VolumeFields({ kind, draft, errors, refused, put }: FieldsProps): ReactElement {
  return (
    <div className={styles.fields}>
      <Select
        label="Minimum volume of"
        value={draft.leastMetric}
        options={reportMetrics[kind]
          .filter((metric) => metric.kind === 'count')
          .map(({ id }) => ({ id, label: columnLabel({ id, label: null }) }))}
        error={refused.get('least')}
        onChange={(leastMetric) => put({ leastMetric })}
      />
      <TextField
        label="At least"
        value={draft.least}
        limit="0 for none. Smaller volumes are ignored."
        error={errors.least}
        onChange={(least) => put({ least })}
      />
    </div>
  );
}

function SourceSelect(props: {
  source: ReportSource;
  onChange: (source: ReportSource) => void;
}): ReactElement {
  const known = useStore(reportsStore, ({ sources }) => sources);
  const all: ReportSource[] = [
    props.source,
    ...(known?.tids ?? []).map((tid) => ({ kind: 'xml' as const, tid })),
    { kind: 'search', sid: null },
    ...(known?.sids ?? []).map((sid) => ({ kind: 'search' as const, sid })),
  ];
  const byLabel = new Map(all.map((source) => [sourceLabel(source), source]));
  return (
    <Select
      label="Report"
      value={sourceLabel(props.source)}
      options={[...byLabel.keys()].map((label) => ({ id: label, label }))}
      onChange={(label) => {
        const source = byLabel.get(label);
        if (source !== undefined) props.onChange(source);
      }}
    />
  );
}

const conditions: { id: AlertDraft['condition']; label: string }[] = [
  { id: 'below', label: 'Is below' },
  { id: 'above', label: 'Is above' },
  { id: 'down', label: 'Falls by' },
  { id: 'up', label: 'Rises by' },
];
