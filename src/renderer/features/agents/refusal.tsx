import { agentsStore } from '#renderer/stores/agents/index.ts';
import { Banner, Button } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** Why the last thing that was asked of the agents was not done. */
export function Refusal(): ReactElement | null {
  const { refusal, dismiss } = useStore(agentsStore);
  // Those of the freeze stand at the title bar, on every page.
  if (refusal === null || refusal.of.kind === 'freeze' || refusal.of.kind === 'thaw') return null;
  const { message, next } = refusal.failure;
  return (
    <Banner
      tone="danger"
      title={message}
      actions={
        <Button size="small" onClick={dismiss}>
          OK
        </Button>
      }
    >
      {next}
    </Banner>
  );
}
