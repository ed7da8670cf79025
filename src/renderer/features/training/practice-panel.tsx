import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { practiceStore, readDollars } from './stores/practice-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  common,
  useFormats,
  Button,
  Buttons,
  Checkbox,
  ForeignText,
  Icon,
  Section,
  TextField,
  FailureBanner,
  Loading,
  pages,
} from '#renderer/ui/index.ts';
import type { PracticeFault, PracticeView } from '#shared/app-api/index.ts';
import { AgentPart, StatesPart } from './practice-parts.tsx';
import styles from './training.module.css';

export function PracticePanel(): ReactElement {
  const { view, failure, refusal, dismiss } = useStore(practiceStore);
  useEffect(() => practiceStore.getState().start(), []);
  const wrong = refusal?.failure ?? failure;
  return (
    <aside className={styles.panel} aria-label="Control panel">
      <h2 className={cx(common.heading, styles.panelPart)}>Control panel</h2>
      {wrong && (
        <div className={styles.panelPart}>
          <FailureBanner failure={wrong} onDismiss={refusal ? dismiss : undefined} />
        </div>
      )}
      {view === null ? <Loading widths={['40%', '100%', '100%']} /> : <Controls view={view} />}
    </aside>
  );
}

function Controls({ view }: { view: PracticeView }): ReactElement {
  return (
    <>
      <ClockPart view={view} />
      <BalancePart micros={view.balanceMicros} />
      <FaultsPart armed={view.faults} />
      <EditPart lastEdit={view.lastEdit} />
      <AgentPart agent={view.agent} />
      <StatesPart states={view.states} />
    </>
  );
}

function ClockPart({ view }: { view: PracticeView }): ReactElement {
  const { doing, apply } = useStore(practiceStore);
  const { serviceNowMs, aheadMs, zone } = view;
  return (
    <Section title="Service clock" aside={zone}>
      <p className={cx(common.heading, pages.tabular)}>{momentIn(zone, serviceNowMs)}</p>
      <p className={cx(common.soft, styles.ahead)}>{aheadWords(aheadMs)}</p>
      <Buttons>
        {(['hour', 'day', 'week'] as const).map((by) => (
          <Button
            key={by}
            size="small"
            icon="clock"
            title={`Moves the service’s clock forward one ${by}`}
            disabled={doing !== null}
            onClick={() => void apply('practice.forward', { by })}
          >
            +1 {by}
          </Button>
        ))}
      </Buttons>
    </Section>
  );
}

function momentIn(zone: string, atMs: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).format(atMs);
}

const hourMs = 3_600_000;

function aheadWords(aheadMs: number): string {
  const hours = Math.round(aheadMs / hourMs);
  if (hours === 0) return 'As on this computer';
  const days = Math.floor(hours / 24);
  const parts = [days > 0 && `${days} d`, hours % 24 > 0 && `${hours % 24} h`].filter(Boolean);
  return `${parts.join(' ')} ahead of this computer`;
}

function BalancePart({ micros }: { micros: number }): ReactElement {
  const formats = useFormats();
  const { doing, apply } = useStore(practiceStore);
  const [typed, setTyped] = useState('');
  const amount = readDollars(typed);
  const isWrong = typed.trim() !== '' && amount === null;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (amount !== null && (await apply('practice.setBalance', { micros: amount }))) setTyped('');
  }
  return (
    <Section title="Account balance" aside={formats.money(BigInt(micros))}>
      <form className={styles.fieldLine} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label="New balance in dollars"
          value={typed}
          onChange={setTyped}
          error={isWrong ? 'Enter an amount such as 250 or 0.50.' : undefined}
        />
        <Button type="submit" disabled={doing !== null || amount === null}>
          Set
        </Button>
      </form>
    </Section>
  );
}

interface FaultWords {
  label: string;
  hint?: string;
}

const single: Readonly<Partial<Record<PracticeFault, FaultWords>>> = {
  'no-balance': { label: 'No balance (402)' },
  conflict: { label: 'Conflict (409)' },
  'wrong-server': { label: 'Wrong server (421)' },
  'too-many-requests': { label: 'Too many requests (429)' },
  'not-available': { label: 'Not available (503)' },
  'lost-answer': { label: 'Lost answer', hint: 'The change is stored, and its answer never comes.' },
};

const persistent: Readonly<Partial<Record<PracticeFault, FaultWords>>> = {
  slow: { label: 'Slow answers' },
  'tools-down': { label: 'Tools down' },
  'sign-in-down': { label: 'Sign-in down' },
};

function FaultsPart({ armed }: { armed: readonly PracticeFault[] }): ReactElement {
  const { doing, apply } = useStore(practiceStore);

  function choices(words: typeof single): ReactElement[] {
    return Object.entries(words).map(([id, { label, hint }]) => {
      const fault = id as PracticeFault;
      const isArmed = armed.includes(fault);
      return (
        <Checkbox
          key={fault}
          label={label}
          hint={hint}
          checked={isArmed}
          disabled={doing !== null}
          onChange={() => void apply(isArmed ? 'practice.disarm' : 'practice.arm', { fault })}
        />
      );
    });
  }
  return (
    <Section title="Faults of the service" aside={armed.length > 0 && `${armed.length} on`}>
      <fieldset className={cx(common.stack2, styles.faults)}>
        <legend className={common.soft}>The next change that is sent</legend>
        {choices(single)}
      </fieldset>
      <fieldset className={cx(common.stack2, styles.faults)}>
        <legend className={common.soft}>Until you turn it off</legend>
        {choices(persistent)}
      </fieldset>
    </Section>
  );
}

function EditPart({ lastEdit }: { lastEdit: string | null }): ReactElement {
  const { doing, apply } = useStore(practiceStore);
  const open = useStore(uiStore, ({ route }) => (route.page === 'campaigns' ? route.cid : null));
  return (
    <Section title="Someone else">
      <Buttons>
        {open !== null && (
          <Button
            size="small"
            icon="edit"
            disabled={doing !== null}
            onClick={() => void apply('practice.edit', { cid: open })}
          >
            Edit campaign {open} now
          </Button>
        )}
        <Button
          size="small"
          icon="edit"
          disabled={doing !== null}
          onClick={() => void apply('practice.edit', { cid: null })}
        >
          Edit a running campaign now
        </Button>
      </Buttons>
      {lastEdit !== null && (
        <p className={cx(common.breaks, styles.said)} role="status">
          <Icon name="check" size={14} />
          <ForeignText text={lastEdit} />
        </p>
      )}
    </Section>
  );
}
