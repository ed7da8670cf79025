import { isAtWork, sampleAgentStore } from './stores/sample-agent-store.ts';
import {
  useFormats,
  Banner,
  Button,
  Card,
  ForeignText,
  Icon,
  Pill,
  type PillTone,
} from '#renderer/ui/index.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';

const states: Record<SampleAgentView['state'], { tone: PillTone; label: string }> = {
  off: { tone: 'neutral', label: 'Off' },
  connecting: { tone: 'busy', label: 'Connecting' },
  'waiting-for-you': { tone: 'waiting', label: 'Waiting for you' },
  proposing: { tone: 'busy', label: 'At work' },
  ended: { tone: 'good', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' },
};

/** A bundled scripted agent that shows the whole loop in the first minute. */
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
      {failure && (
        <Banner tone="danger" title={failure.message}>
          {failure.next}
        </Banner>
      )}
      {view && view.steps.length > 0 && <Steps steps={view.steps} />}
    </Card>
  );
}

function Steps({ steps }: { steps: SampleAgentView['steps'] }): ReactElement {
  const formats = useFormats();
  return (
    <ol className={styles.steps} aria-label="What it did" aria-live="polite">
      {steps.map(({ atMs, text, isGood }, index) => (
        // Steps are only ever added at the end.
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
