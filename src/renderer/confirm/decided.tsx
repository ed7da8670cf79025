import type { ReactElement } from 'react';
import {
  Button,
  common,
  cx,
  ForeignText,
  Icon,
  Mono,
  type PillTone,
  StatePill,
  useFormats,
} from '#renderer/ui/index.ts';
import type { DecidedChange, LedgerSeal, ReviewProgress } from '#shared/host-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { isInDelivery } from '#shared/proposals/states.ts';
import { batchProgress, batchTone, endingForPerson, stateWords } from '#shared/wording/index.ts';
import styles from './page.module.css';

function sentenceOf(change: DecidedChange, formats: Formats): string {
  const { state, outcome, members, replacedBy } = change;
  const ending = endingForPerson(change);
  if (ending !== null) return ending.sentence;
  if (isInDelivery(state) && members.length > 0) return `${batchProgress(members, formats)}.`;
  if (state === 'stale' && replacedBy !== null)
    return 'Someone else changed the campaign. The change follows anew.';
  // The pill says as much.
  if (outcome === null && (state === 'verified' || state === 'denied')) return '';
  return outcome?.message ?? stateWords[state].sentence;
}

function toneOf({ state, members }: DecidedChange): PillTone {
  return members.length > 0 && state === 'done' ? batchTone(members) : stateWords[state].tone;
}

/** True for decisions that need attention: other values stored, refusals and unknown outcomes. */
export const isTrouble = (change: DecidedChange): boolean => ['bad', 'waiting'].includes(toneOf(change));

export function worstFirst(review: ReviewProgress): ReviewProgress {
  const decided = review.decided.toSorted((one, other) => Number(isTrouble(other)) - Number(isTrouble(one)));
  return { ...review, decided };
}

interface DecidedRowProps {
  change: DecidedChange;
  isBusy: boolean;
  onUndo: (proposalId: string) => void;
}

/** One line of fixed height, so that an outcome that arrives moves nothing. */
function DecidedRow({ change, isBusy, onUndo }: DecidedRowProps): ReactElement {
  const formats = useFormats();
  const { id, state, operation, title, canUndo } = change;
  const sentence = sentenceOf(change, formats);
  return (
    <li className={styles.decided} aria-atomic>
      <StatePill state={state} operation={operation} tone={toneOf(change)} />
      <span className={styles.decidedText} title={`${title} ${sentence}`}>
        <ForeignText text={title} />
        <span className={common.quiet}>
          {' '}
          <ForeignText text={sentence} />
        </span>
      </span>
      {canUndo && (
        <Button
          size="small"
          kind="quiet"
          icon="reset"
          aria-disabled={isBusy}
          aria-label={`Undo: ${title}`}
          onClick={() => onUndo(id)}
        >
          Undo
        </Button>
      )}
    </li>
  );
}

export interface DecidedListProps {
  review: ReviewProgress;
  isBusy: boolean;
  onUndo: (proposalId: string) => void;
  className?: string | undefined;
}

export function DecidedList({ review, className, ...rest }: DecidedListProps): ReactElement | null {
  if (review.decided.length === 0) return null;
  return (
    <ul className={cx(styles.decidedList, className)} aria-label="Decided in this review" aria-live="polite">
      {review.decided.map((change) => (
        <DecidedRow key={change.id} change={change} {...rest} />
      ))}
    </ul>
  );
}

export function Seal({ seq, hash }: LedgerSeal): ReactElement {
  const formats = useFormats();
  return (
    <p className={styles.seal} title={`Row ${seq}: ${hash}`}>
      <Icon name="proposals" size={20} />
      <span>Sealed in the ledger</span>
      <span className={common.quiet}>row {formats.count(seq)}</span>
      <Mono>{(hash.match(/.{1,4}/gu) ?? []).slice(0, 4).join(' ')}</Mono>
    </p>
  );
}
