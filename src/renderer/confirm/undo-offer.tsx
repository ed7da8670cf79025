import type { ReactElement } from 'react';
import { Button, Icon } from '#renderer/ui/index.ts';
import type { Flow } from './flow.ts';
import styles from './foot.module.css';

/** The undo of what this window has written, beside its outcome, with the reason if it could not be proposed. */
export function UndoOffer({ flow, onUndo }: { flow: Flow; onUndo: () => void }): ReactElement | null {
  if (flow.kind !== 'rested' || flow.undo === undefined) return null;
  const { problem, isPreparing } = flow.undo;
  return (
    <>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          <Icon name="warning" />
          <span>
            <strong>{problem.message}</strong> {problem.next}
          </span>
        </p>
      )}
      <Button size="large" icon="reset" disabled={isPreparing} onClick={onUndo}>
        {isPreparing ? 'Preparing…' : 'Undo change'}
      </Button>
    </>
  );
}
