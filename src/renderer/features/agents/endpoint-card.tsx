import { agentsStore } from '#renderer/stores/agents/index.ts';
import { Banner, Button, Card, Pill } from '#renderer/ui/index.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** Why agents cannot connect, and the two ways to open their endpoint again. Absent while they can. */
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
        {problem.next} With another port every agent has to be connected anew.
      </Banner>
    </Card>
  );
}
