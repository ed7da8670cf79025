import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { practiceStore } from '../stores/practice-store.ts';
import { Button, Buttons, Pill, QuotedText, RadioGroup, Section } from '#renderer/ui/index.ts';
import type { PracticeView } from '#shared/app-api/index.ts';
import styles from './training-practice.module.css';

type AgentBehaviour = NonNullable<PracticeView['agent']['behaviour']>;

const agentBehaviours: readonly { id: AgentBehaviour; label: string; hint: string }[] = [
  { id: 'careful', label: 'Careful', hint: 'Small, sensible changes with good reasons.' },
  { id: 'hasty', label: 'Hasty', hint: 'Many changes, and some slips among them.' },
  { id: 'hostile', label: 'Hostile', hint: 'Harmful changes behind harmless words.' },
];

const isBehaviour = (id: string): id is AgentBehaviour =>
  agentBehaviours.some((behaviour) => behaviour.id === id);

/** The sample agent: its behaviour, its start and its stop. */
export function AgentPart({ agent }: { agent: PracticeView['agent'] }): ReactElement {
  const { doing, apply } = useStore(practiceStore);
  const [chosen, setChosen] = useState<AgentBehaviour>(agent.behaviour ?? 'careful');
  return (
    <Section
      title="Agent"
      aside={<Pill tone={agent.isRunning ? 'busy' : 'neutral'} label={agent.isRunning ? 'At work' : 'Off'} />}
    >
      <div className={styles.stack}>
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
          <p className={styles.said} role="status">
            <span>
              It says: <QuotedText text={agent.said} />
            </span>
          </p>
        )}
      </div>
    </Section>
  );
}
