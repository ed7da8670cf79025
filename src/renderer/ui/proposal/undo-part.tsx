import type { ReactElement } from 'react';
import { isInDelivery, isUndecided, type ProposalState } from '#shared/proposals/states.ts';
import { Button } from '../controls/buttons.tsx';
import { Icon } from '../display/icon.tsx';
import { Banner } from '../display/notices.tsx';
import common from '../styles/common.module.css';
import pages from '../styles/pages.module.css';
import { cx } from '../cx.ts';

export interface UndoPartProps {
  undo: {
    undoes: string | null;
    undoneBy: { id: string; state: ProposalState } | null;
    canUndo: boolean;
  };
  isPreparing: boolean;
  isHeld: boolean;
  failure: { message: string; next: string } | null;
  size?: 'small' | 'normal';
  hrefOf: (proposalId: string) => string;
  onUndo: () => void;
}

export function UndoPart(props: UndoPartProps): ReactElement | null {
  const { undo, isPreparing, isHeld, failure, size = 'normal', hrefOf, onUndo } = props;
  const { undoes, undoneBy, canUndo } = undo;
  if (undoes === null && undoneBy === null && !canUndo) return null;
  const isWaiting = undoneBy !== null && isUndecided(undoneBy.state);
  return (
    <div className={pages.undo}>
      {canUndo && (
        <Button size={size} icon="reset" disabled={isHeld} onClick={onUndo}>
          {isPreparing ? 'Preparing…' : isWaiting ? 'Review undo' : 'Undo change'}
        </Button>
      )}
      {undoneBy !== null && (
        <span className={cx(common.row1, common.soft)}>
          <Icon name={isWaiting ? 'clock' : 'reset'} size={14} />
          <a href={hrefOf(undoneBy.id)}>{undoneByWords(undoneBy.state)}</a>
        </span>
      )}
      {undoes !== null && (
        <span className={cx(common.row1, common.soft)}>
          <Icon name="reset" size={14} />
          <a href={hrefOf(undoes)}>Undoes an earlier change</a>
        </span>
      )}
      {failure !== null && (
        <div className={pages.wholeRow}>
          <Banner tone="danger" title={failure.message}>
            {failure.next}
          </Banner>
        </div>
      )}
    </div>
  );
}

function undoneByWords(state: ProposalState): string {
  if (isUndecided(state)) return 'Undo awaiting your approval';
  if (isInDelivery(state)) return 'Undo in progress';
  if (state === 'unknown') return 'Undo sent, outcome unknown';
  return state === 'differs' ? 'Undone, but the stored values differ' : 'Undone by a later change';
}
