import { agentsStore } from '#renderer/stores/agents/index.ts';
import { Banner, Button, Card, Pill } from '#renderer/ui/index.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';
import { CopiedText } from './copied-text.tsx';

/** Where agents connect, or why they cannot and the two ways back. */
export function EndpointCard({ endpoint }: { endpoint: AppOutput<'agents.get'>['endpoint'] }): ReactElement {
  const doing = useStore(agentsStore, (state) => state.doing);
  const { openEndpoint } = agentsStore.getState();
  const { url, problem } = endpoint;
  return (
    <Card
      level={2}
      title="Connection"
      aside={<Pill {...(problem ? { tone: 'bad', label: 'Closed' } : { tone: 'good', label: 'Open' })} />}
      actions={
        problem ? (
          <>
            <Button disabled={doing !== null} onClick={() => void openEndpoint(false)}>
              {doing?.kind === 'open' ? 'Trying…' : 'Try again'}
            </Button>
            <Button disabled={doing !== null} onClick={() => void openEndpoint(true)}>
              {doing?.kind === 'open-elsewhere' ? 'Opening…' : 'Use another port'}
            </Button>
          </>
        ) : undefined
      }
    >
      {problem && (
        <Banner tone="danger" title={problem.message}>
          {problem.next} With another port every agent has to be connected anew.
        </Banner>
      )}
      {url !== '' && <CopiedText text={url} about="the address" />}
      <p className={styles.soft}>
        Agents on this computer connect here. Nothing from outside reaches it, and you admit each agent once.
      </p>
    </Card>
  );
}
