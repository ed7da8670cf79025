import { agentsStore, panicStore } from '#renderer/stores/agents/index.ts';
import { Button, Icon, shortMomentText } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './freeze.module.css';

/** Stops every agent with one press; while they are frozen, the way back and the emergency pause. */
export function FreezeControl(): ReactElement | null {
  const { view, freeze, ask } = useStore(agentsStore);
  const pausing = useStore(panicStore, (state) => state.doing !== null);
  if (view === null) return null;
  if (view.frozenSinceMs === null) {
    return (
      <Button size="small" icon="pause" onClick={() => void freeze()}>
        Freeze agents
      </Button>
    );
  }
  return (
    <span className={styles.frozen}>
      <span
        className={styles.state}
        role="status"
        title={`since ${shortMomentText(view.frozenSinceMs, Date.now())}`}
      >
        <Icon name="pause" size={14} />
        Agents frozen
      </span>
      <Button size="small" icon="play" onClick={() => ask({ kind: 'thaw' })}>
        Let agents work again
      </Button>
      <Button
        size="small"
        kind="danger"
        icon="emergency-stop"
        disabled={pausing}
        onClick={() => void panicStore.getState().start()}
      >
        {pausing ? 'Preparing…' : 'Pause campaigns…'}
      </Button>
    </span>
  );
}
