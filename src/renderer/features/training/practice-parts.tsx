import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { practiceStore } from './stores/practice-store.ts';
import {
  Button,
  Buttons,
  ForeignText,
  Pill,
  Question,
  QuotedText,
  RadioGroup,
  Section,
  TextField,
  common,
  cx,
  useFormats,
} from '#renderer/ui/index.ts';
import type { PracticeView } from '#shared/app-api/index.ts';
import { firstCodePoints, quoted } from '#shared/lib/inert-text.ts';
import styles from './training.module.css';

type Return = { name: string | null };

export function StatesPart({ states }: Pick<PracticeView, 'states'>): ReactElement {
  const formats = useFormats();
  const { doing, apply } = useStore(practiceStore);
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState<Return | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const name = typed.trim();
    if (name !== '' && (await apply('practice.save', { name }))) setTyped('');
  }
  function confirm({ name }: Return): void {
    setAsking(null);
    if (name === null) void apply('practice.reset', {});
    else void apply('practice.return', { name });
  }
  return (
    <Section title="Saved states">
      <div className={common.stack3}>
        <form className={styles.fieldLine} onSubmit={(event) => void submit(event)}>
          <TextField
            label="Name of this state"
            value={typed}
            onChange={(text) => setTyped(firstCodePoints(text, 40))}
          />
          <Button type="submit" disabled={doing !== null || typed.trim() === ''}>
            Save
          </Button>
        </form>
        {states.length > 0 && (
          <ul className={common.stack}>
            {states.map(({ name, atMs }) => (
              <li key={name} className={cx(common.spread, styles.state)}>
                <span className={cx(common.stack, common.breaks, styles.stateName)}>
                  <ForeignText text={name} />
                  <span className={common.soft}>{formats.shortMoment(atMs, Date.now())}</span>
                </span>
                <Button
                  size="small"
                  icon="undo"
                  aria-label={`Return to ${name}`}
                  disabled={doing !== null}
                  onClick={() => setAsking({ name })}
                >
                  Return
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Buttons>
          <Button
            size="small"
            icon="reset"
            disabled={doing !== null}
            onClick={() => setAsking({ name: null })}
          >
            Reset to the beginning
          </Button>
        </Buttons>
      </div>
      {asking !== null && (
        <Question
          title={asking.name === null ? 'Reset to the beginning?' : `Return to ${quoted(asking.name)}?`}
          stay="Stay here"
          confirmLabel={asking.name === null ? 'Reset' : 'Return'}
          onStay={() => setAsking(null)}
          onConfirm={() => confirm(asking)}
        >
          <p>Everything that happened in this practice since then is lost. Saved states are kept.</p>
        </Question>
      )}
    </Section>
  );
}

type AgentBehaviour = NonNullable<PracticeView['agent']['behaviour']>;

const agentBehaviours: readonly { id: AgentBehaviour; label: string; hint: string }[] = [
  { id: 'careful', label: 'Careful', hint: 'Small, sensible changes with good reasons.' },
  { id: 'hasty', label: 'Hasty', hint: 'Many changes, and some slips among them.' },
  { id: 'hostile', label: 'Hostile', hint: 'Harmful changes behind harmless words.' },
];

const isBehaviour = (id: string): id is AgentBehaviour =>
  agentBehaviours.some((behaviour) => behaviour.id === id);

export function AgentPart({ agent }: { agent: PracticeView['agent'] }): ReactElement {
  const { doing, apply } = useStore(practiceStore);
  const [chosen, setChosen] = useState<AgentBehaviour>(agent.behaviour ?? 'careful');
  return (
    <Section
      title="Agent"
      aside={<Pill tone={agent.isRunning ? 'busy' : 'neutral'} label={agent.isRunning ? 'At work' : 'Off'} />}
    >
      <div className={common.stack3}>
        <RadioGroup
          label="Behaviour"
          value={chosen}
          options={agentBehaviours}
          onChange={(id) => isBehaviour(id) && setChosen(id)}
        />
        <Buttons>
          <Button
            size="small"
            icon="play"
            disabled={doing !== null || (agent.isRunning && agent.behaviour === chosen)}
            onClick={() => void apply('practice.startAgent', { behaviour: chosen })}
          >
            {agent.isRunning ? 'Change behaviour' : 'Start agent'}
          </Button>
          {agent.isRunning && (
            <Button
              size="small"
              icon="pause"
              disabled={doing !== null}
              onClick={() => void apply('practice.stopAgent', {})}
            >
              Stop this agent
            </Button>
          )}
        </Buttons>
        {agent.said !== null && (
          <p className={cx(common.breaks, styles.said)} role="status">
            <span>
              It says: <QuotedText text={agent.said} />
            </span>
          </p>
        )}
      </div>
    </Section>
  );
}
