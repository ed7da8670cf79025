import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { useFormats, Button, IconButton, LinkButton } from '#renderer/ui/index.ts';
import { reviewWords } from '#shared/proposals/review-words.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { discard, type Editing, proposeAndReview } from './editing.ts';
import styles from './editor.module.css';
import { focusHeading } from './fields/field-block.tsx';

/** Undo and redo of the drafts of all campaigns, each with what it takes back. */
export function HistoryButtons(): ReactElement {
  const { undo, redo } = useStore(draftsStore, (state) => state.history);
  const store = draftsStore.getState();
  return (
    <span className={styles.history}>
      <IconButton
        icon="undo"
        size="small"
        label={undo === null ? 'Undo' : `Undo: ${undo}`}
        disabled={undo === null}
        onClick={() => void store.undo()}
      />
      <IconButton
        icon="redo"
        size="small"
        label={redo === null ? 'Redo' : `Redo: ${redo}`}
        disabled={redo === null}
        onClick={() => void store.redo()}
      />
    </span>
  );
}

/** The number of changes and the button to review them. Absent while nothing was edited. */
export function Footer(props: {
  editing: Editing;
  /** True while nothing can be proposed: the campaign is locked, or the core is out of reach. */
  held: boolean;
  proposing: boolean;
  /** Goes to the first field that needs attention. */
  onAttention: () => void;
}): ReactElement | null {
  const formats = useFormats();
  const { editing, held, proposing, onAttention } = props;
  const { changed, errorAt, conflicts, isReady, proposalId, proposalState } = editing;
  const hasDraft = changed.length > 0 || Object.keys(editing.draft).length > 0;
  if (!hasDraft && errorAt.size === 0) return null;
  if (proposalId !== null) {
    return (
      <footer className={styles.footer}>
        <span className={styles.count} role="status">
          {reviewWords(proposalState ?? 'proposed')}
        </span>
        <Button
          kind="primary"
          disabled={proposalState !== null && !isUndecided(proposalState)}
          onClick={() => void reviewStore.getState().review(proposalId)}
        >
          Review again
        </Button>
      </footer>
    );
  }
  const problems = new Set([...errorAt.keys(), ...conflicts.map(({ field }) => field)]).size;
  return (
    <footer className={styles.footer}>
      <span className={styles.count} role="status">
        {problems > 0 ? (
          <span className={styles.attention}>
            <LinkButton onClick={onAttention}>
              {formats.counted(problems, 'field needs attention', 'fields need attention')}
            </LinkButton>
          </span>
        ) : (
          formats.counted(changed.length, 'change')
        )}
      </span>
      <Button
        kind="quiet"
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget);
          discard(editing);
        }}
      >
        Discard
      </Button>
      <Button
        kind="primary"
        disabled={!isReady || held || proposing}
        onClick={() => void proposeAndReview(editing.cid)}
      >
        {proposing ? 'Preparing…' : changed.length > 1 ? 'Review changes' : 'Review change'}
      </Button>
    </footer>
  );
}
