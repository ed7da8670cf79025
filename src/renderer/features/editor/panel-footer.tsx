import { editorStore } from '#renderer/stores/editor/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { Button, LinkButton } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { type Editing, proposeAndReview } from './editing.ts';
import styles from './editor.module.css';

/** The number of changes and the button to review them. Absent while nothing was edited. */
export function PanelFooter(props: {
  editing: Editing;
  /** True while nothing can be proposed: the campaign is locked, or the core is out of reach. */
  held: boolean;
  proposing: boolean;
  /** The proposal of exactly these changes that waits for a decision, or null. */
  waitingId: string | null;
  /** Goes to the first field that needs attention. */
  onAttention: () => void;
}): ReactElement | null {
  const { editing, held, proposing, waitingId, onAttention } = props;
  const { changes, errorAt, ready } = editing.checked;
  if (changes.length === 0 && errorAt.size === 0) return null;
  if (waitingId !== null) {
    return (
      <footer className={styles.footer}>
        <span className={styles.count} role="status">
          Awaiting your approval
        </span>
        <Button kind="primary" onClick={() => void reviewStore.getState().review(waitingId)}>
          Review again
        </Button>
      </footer>
    );
  }
  return (
    <footer className={styles.footer}>
      <span className={styles.count} role="status">
        {errorAt.size > 0 ? (
          <span className={styles.attention}>
            <LinkButton onClick={onAttention}>
              {counted(errorAt.size, 'field needs attention', 'fields need attention')}
            </LinkButton>
          </span>
        ) : (
          counted(changes.length, 'change')
        )}
      </span>
      <Button kind="quiet" onClick={() => editorStore.getState().discard(editing.cid)}>
        Discard
      </Button>
      <Button
        kind="primary"
        disabled={!ready || held || proposing}
        onClick={() => void proposeAndReview(editing.cid)}
      >
        {proposing ? 'Preparing…' : changes.length > 1 ? 'Review changes' : 'Review change'}
      </Button>
    </footer>
  );
}
