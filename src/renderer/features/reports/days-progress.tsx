import type { ReactElement } from 'react';
import { Banner, Button } from '#renderer/ui/index.ts';
import styles from './panels.module.css';
import type { DrillAnswer, DrillStore } from './stores/beside-stores.ts';

/** How far the days of a value are read. Nothing if they are complete. */
export function DaysProgress({
  state,
  store,
}: {
  state: DrillAnswer['state'];
  store: DrillStore;
}): ReactElement | null {
  const { cancel, refresh } = store.getState();
  if (state.state === 'reading') {
    return (
      <p className={styles.progress} role="status">
        Partial: read {state.doneRequests} of {state.allRequests}
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
      </p>
    );
  }
  if (state.failure !== null) {
    return (
      <Banner flush tone="warning" title={state.failure.message}>
        {state.partial && <span>Partial: some days are missing. </span>}
        <span>{state.failure.next}</span>
      </Banner>
    );
  }
  if (!state.partial) return null;
  return (
    <p className={styles.progress} role="status">
      Partial: some days were not read
      <Button size="small" onClick={refresh}>
        Read the rest
      </Button>
    </p>
  );
}
