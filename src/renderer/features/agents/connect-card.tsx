import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import {
  Banner,
  Button,
  Card,
  FoldedCard,
  Mono,
  Pill,
  Select,
  useFormats,
  ForeignText,
  Icon,
  type PillTone,
  common,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { AppOutput, SampleAgentView } from '#shared/app-api/index.ts';
import styles from './agents.module.css';
import { type KnownClient, knownClients, type Recipe } from './known-clients.ts';
import { isAtWork, sampleAgentStore } from './stores/page-stores.ts';

interface ConnectCardProps {
  url: string;
  open: boolean;
  onToggle: (open: boolean) => void;
}

export function ConnectCard({ url, open, onToggle }: ConnectCardProps): ReactElement | null {
  const [chosen, setChosen] = useState('claude-code');
  if (url === '') return null;
  const clients = knownClients(url);
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  return (
    <FoldedCard level={2} title="Connect an agent" open={open} onToggle={onToggle}>
      <Select
        label="Client"
        value={chosen}
        options={clients.map(({ id, name }) => ({ id, label: name }))}
        onChange={setChosen}
      />
      {client && <Recipes client={client} />}
      <p className={styles.soft}>
        Your browser shows two words. Allow the agent in Countersign only if the words match.
      </p>
      <p className={styles.small}>Address, for agents on this computer only:</p>
      <CopiedText text={url} about="the address" />
    </FoldedCard>
  );
}

function Recipes({ client }: { client: KnownClient }): ReactElement {
  const { name, recipes, note } = client;
  return (
    <>
      {recipes.map((recipe) => (
        <div key={recipe.text} className={common.stack1}>
          <p className={styles.small}>{leadOf(recipe)}</p>
          {recipe.kind === 'link' ? (
            <a href={recipe.text} target="_blank" rel="noreferrer">
              Add to {name}…
            </a>
          ) : (
            <CopiedText text={recipe.text} about={`the ${recipe.kind} for ${name}`} />
          )}
        </div>
      ))}
      <p className={styles.soft}>{note}</p>
    </>
  );
}

function leadOf(recipe: Recipe): string {
  switch (recipe.kind) {
    case 'address':
      return 'Give it this address:';
    case 'link':
      return 'With one click:';
    case 'command':
      return 'In a terminal:';
    case 'file':
      return `In ${recipe.path}:`;
  }
}

export function EndpointCard(props: { endpoint: AppOutput<'agents.get'>['endpoint'] }): ReactElement | null {
  const doing = useStore(agentsStore, (state) => state.doing);
  const { openEndpoint } = agentsStore.getState();
  const { problem } = props.endpoint;
  if (!problem) return null;
  return (
    <Card
      level={2}
      title="Connection"
      aside={<Pill tone="bad" label="Closed" />}
      actions={
        <>
          <Button disabled={doing !== null} onClick={() => void openEndpoint(false)}>
            {doing?.kind === 'open' ? 'Trying…' : 'Try again'}
          </Button>
          <Button disabled={doing !== null} onClick={() => void openEndpoint(true)}>
            {doing?.kind === 'open-elsewhere' ? 'Opening…' : 'Use another port'}
          </Button>
        </>
      }
    >
      <Banner tone="danger" title={problem.message}>
        {problem.next} On another port, every agent has to connect again.
      </Banner>
    </Card>
  );
}

function CopiedText({ text, about }: { text: string; about: string }): ReactElement {
  const copied = useStore(agentsStore, (state) => state.copied === text);
  return (
    <div className={styles.copied}>
      <Mono block>{text}</Mono>
      <Button
        size="small"
        icon={copied ? 'check' : 'copy'}
        aria-label={`${copied ? 'Copied' : 'Copy'} ${about}`}
        onClick={() => void agentsStore.getState().copy(text)}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}

const states: Record<SampleAgentView['state'], { tone: PillTone; label: string }> = {
  off: { tone: 'neutral', label: 'Off' },
  connecting: { tone: 'busy', label: 'Connecting' },
  'waiting-for-you': { tone: 'waiting', label: 'Waiting for you' },
  proposing: { tone: 'busy', label: 'At work' },
  ended: { tone: 'good', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' },
};

export function SampleAgentCard(): ReactElement {
  const { view, failure, begin, stop } = useStore(sampleAgentStore);
  const state = view?.state ?? 'off';
  const works = view !== null && isAtWork(view);
  return (
    <Card
      level={2}
      title="Sample agent"
      aside={<Pill {...states[state]} hollow={state === 'off'} />}
      actions={
        works ? (
          <Button onClick={() => void stop()}>Stop the sample agent</Button>
        ) : (
          <Button kind="primary" icon="play" onClick={() => void begin()}>
            {state === 'off' ? 'Try it with the sample agent' : 'Start it again'}
          </Button>
        )
      }
    >
      <p className={styles.soft}>
        A script that requests access, then proposes good and bad changes to Demo campaigns.
      </p>
      {failure && <FailureBanner failure={failure} />}
      {view && view.steps.length > 0 && <Steps steps={view.steps} />}
    </Card>
  );
}

function Steps({ steps }: { steps: SampleAgentView['steps'] }): ReactElement {
  const formats = useFormats();
  return (
    <ol className={common.stack1} aria-label="What it did" aria-live="polite">
      {steps.map(({ atMs, text, isGood }, index) => (
        // The index is a stable key, because steps are only appended.
        <li key={index} className={styles.step}>
          <time className={styles.small}>{formats.exactClock(atMs)}</time>
          {isGood !== null && (
            <Icon size={14} name={isGood ? 'check-circle' : 'alert-circle'} tone={isGood ? 'good' : 'bad'} />
          )}
          <span>
            <ForeignText text={text} />
          </span>
        </li>
      ))}
    </ol>
  );
}
