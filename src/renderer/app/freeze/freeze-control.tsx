import { agentsStore, emergencyStopStore } from '#renderer/stores/agents/index.ts';
import { Button, Icon, shortMomentText } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from '../dialogs.module.css';

/** Stops everything with one press, whatever the page shows; while agents are frozen, also the way back. */
export function FreezeControl(): ReactElement {
  const frozenSinceMs = useStore(agentsStore, ({ view }) => view?.frozenSinceMs ?? null);
  return (
    <span className={styles.frozen}>
      {frozenSinceMs !== null && <Frozen sinceMs={frozenSinceMs} />}
      <Button size="small" icon="emergency-stop" onClick={() => void emergencyStopStore.getState().start()}>
        Emergency stop
      </Button>
    </span>
  );
}

function Frozen({ sinceMs }: { sinceMs: number }): ReactElement {
  const preparing = useStore(emergencyStopStore, ({ starting }) => starting);
  return (
    <>
      <span className={styles.state} role="status" title={`since ${shortMomentText(sinceMs, Date.now())}`}>
        <Icon name="pause" size={14} />
        {preparing ? 'Agents frozen, preparing the pause…' : 'Agents frozen'}
      </span>
      <Button size="small" icon="play" onClick={() => agentsStore.getState().ask({ kind: 'thaw' })}>
        Let agents work again
      </Button>
    </>
  );
}
