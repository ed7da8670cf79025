import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { copiesStore } from '../stores/copies-store.ts';
import { useFormats, Banner, Button, ForeignText } from '#renderer/ui/index.ts';
import type { CampaignCopyView } from '#shared/app-api/index.ts';
import { dateText } from '#shared/lib/date-text.ts';
import styles from '../editor.module.css';

/** The campaign before its first change of each day, newest first, to be restored as drafts unless they are held. */
export function EarlierStates({ isHeld }: { isHeld: boolean }): ReactElement {
  const formats = useFormats();
  const { copies, doing, refusal, restored, restore } = useStore(copiesStore);
  return (
    <>
      {refusal && (
        <Banner tone="warning" title={refusal.failure.message}>
          {refusal.failure.next}
        </Banner>
      )}
      {restored && (
        <Banner tone="info" title={`${formats.counted(restored.drafted, 'field')} restored as a draft`}>
          {restored.skipped.length > 0 && (
            <>
              <span>No longer in the campaign: </span>
              <ForeignText text={restored.skipped.join(', ')} />
            </>
          )}
        </Banner>
      )}
      <ul className={styles.changes}>
        {copies.map((copy) => (
          <EarlierState
            key={copy.day}
            copy={copy}
            isHeld={doing !== null || isHeld}
            isRestoring={doing === copy.day}
            onRestore={() => void restore(copy.day)}
          />
        ))}
      </ul>
    </>
  );
}

interface EarlierStateProps {
  copy: CampaignCopyView;
  isHeld: boolean;
  isRestoring: boolean;
  onRestore: () => void;
}

/** Names that are written out; more are counted. */
const maxNamed = 6;

function EarlierState({ copy, isHeld, isRestoring, onRestore }: EarlierStateProps): ReactElement {
  const formats = useFormats();
  const { day, atMs, differs } = copy;
  const name = dateText(day, new Date().getFullYear());
  const others = differs.length - maxNamed;
  const action = isRestoring ? 'Restoring…' : 'Restore as draft';
  return (
    <li className={styles.change}>
      <span className={styles.changeTitle}>{name}</span>
      <span className={styles.changeFacts}>
        <time dateTime={new Date(atMs).toISOString()} title={formats.moment(atMs)}>
          copied {formats.clock(atMs)}
        </time>
        {differs.length === 0 ? (
          <span>same as now</span>
        ) : (
          <span>
            {formats.counted(differs.length, 'field differs', 'fields differ')}:{' '}
            <ForeignText text={differs.slice(0, maxNamed).join(', ')} />
            {others > 0 && <span>{` and ${others} more`}</span>}
          </span>
        )}
      </span>
      {differs.length > 0 && (
        <Button size="small" disabled={isHeld} aria-label={`${action}: ${name}`} onClick={onRestore}>
          {action}
        </Button>
      )}
    </li>
  );
}
