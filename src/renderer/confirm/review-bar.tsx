import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import type { ShortcutName } from '#shared/lib/shortcuts.ts';
import {
  Button,
  Icon,
  type IconProps,
  isTyping,
  KeyHint,
  keysOf,
  shortcutOf,
  useFormats,
  useWindowKeys,
  cx,
} from '#renderer/ui/index.ts';
import type { ReviewProgress, Step } from '#shared/host-api/index.ts';
import { FreshPressButton } from './decide.tsx';
import { DecidedList, isTrouble, Seal, worstFirst } from './decided.tsx';
import { canStep, type ConfirmationState, type Confirmation } from './state/confirmation-state.ts';
import type { ReviewStand } from './state/flow.ts';
import foot from './foot.module.css';
import styles from './page.module.css';

type Destination = Exclude<Step['to'], 'undo'>;

const shortcutsTo = {
  together: 'reviewTogether',
  singly: 'reviewSingly',
  next: 'reviewNext',
  previous: 'reviewPrevious',
  later: 'reviewLater',
} as const satisfies Record<Destination, ShortcutName>;
const destinations = Object.keys(shortcutsTo) as Destination[];

function destinationOf(event: KeyboardEvent): Destination | null {
  if (event.repeat || !event.isTrusted || isTyping(event.target)) return null;
  return destinations.find((to) => shortcutOf(event, [shortcutsTo[to]]) !== null) ?? null;
}

export function useReviewKeys(confirmation: Confirmation): void {
  useWindowKeys((event) => {
    const to = destinationOf(event);
    if (to === null || !canStep(confirmation.state(), to, performance.now())) return;
    event.preventDefault();
    confirmation.step(to);
  });
}

interface StepButtonProps {
  to: Destination;
  enabled?: boolean;
  title?: string;
  step: (to: Destination) => void;
  children: ReactNode;
}

function StepButton({ to, enabled = true, title, step, children }: StepButtonProps): ReactElement {
  return (
    <Button
      size="small"
      kind={to === 'together' ? 'secondary' : 'quiet'}
      aria-disabled={!enabled}
      aria-keyshortcuts={keysOf(shortcutsTo[to]).join()}
      title={title}
      onClick={() => step(to)}
    >
      {children}
      <span className={styles.hint} aria-hidden>
        <KeyHint keys={keysOf(shortcutsTo[to])} />
      </span>
    </Button>
  );
}

/** `4 of 50`, or `4–6 of 50` for a batch of three. */
function placeText({ from, to, total }: ReviewProgress): string {
  return `${from === to ? from : `${from}–${to}`} of ${total}`;
}

export function ReviewBar(props: { review: ReviewProgress; step: (to: Destination) => void }): ReactElement {
  const { review, step } = props;
  return (
    <div className={styles.bar} role="group" aria-label="Review">
      {review.identical > 1 && (
        <StepButton to="together" step={step}>
          {review.identical} identical changes: review together
        </StepButton>
      )}
      {review.canPart && (
        <StepButton to="singly" step={step}>
          Show each change
        </StepButton>
      )}
      {review.withoutWarning > 0 && (
        <span className={styles.place} title="They come last">
          {review.withoutWarning} without a warning
        </span>
      )}
      <span className={styles.way}>
        <StepButton to="later" step={step} title="Put away for later">
          Later
        </StepButton>
        <StepButton to="previous" enabled={review.hasPrevious} step={step}>
          Previous
        </StepButton>
        <span className={styles.place}>{placeText(review)}</span>
        <StepButton to="next" step={step}>
          {review.hasNext ? 'Next' : 'Summary'}
        </StepButton>
      </span>
    </div>
  );
}

export interface ReviewFootProps {
  confirmation: Confirmation;
  state: ConfirmationState;
  after: ReviewStand;
  undo: ReactElement;
}

export function ReviewFoot({ confirmation, state, after, undo }: ReviewFootProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const { review } = after;
  const isSummary = state.flow.kind === 'summary';
  const left = review.waiting + review.postponed;
  useEffect(() => button.current?.focus(), [isSummary]);
  const goesOn = !isSummary || left > 0;
  // A host with further displays shows the next one instead of closing.
  const closes = isSummary || state.waiting === 0;
  const words = isSummary
    ? `Review the remaining ${left === 1 ? 'change' : left}`
    : review.hasNext
      ? 'Next change'
      : 'Summary';
  return (
    <footer className={foot.closeFoot}>
      {undo}
      {closes && (
        <FreshPressButton {...(!goesOn && { ref: button })} size="large" onClick={confirmation.close}>
          {state.waiting === 0 ? 'Close window' : 'Next change'}
        </FreshPressButton>
      )}
      {!isSummary && <span className={styles.place}>{placeText(review)}</span>}
      {goesOn && (
        <FreshPressButton
          ref={button}
          size="large"
          kind="primary"
          aria-keyshortcuts={keysOf(shortcutsTo.next).join()}
          onClick={() => confirmation.step('next')}
        >
          {words}
        </FreshPressButton>
      )}
    </footer>
  );
}

function signOf({ decided }: ReviewProgress, left: number): Pick<IconProps, 'name' | 'tone'> {
  if (decided.some(isTrouble)) return { name: 'alert-circle', tone: 'bad' };
  return left === 0 ? { name: 'check-circle', tone: 'good' } : { name: 'clock', tone: 'neutral' };
}

export interface SummaryProps {
  review: ReviewProgress;
  isBusy: boolean;
  onUndo: (proposalId: string) => void;
}

export function Summary({ review, isBusy, onUndo }: SummaryProps): ReactElement {
  const formats = useFormats();
  const { approved, denied, postponed, waiting, total } = review;
  const left = waiting + postponed;
  const lines = [
    { term: 'Approved', count: approved },
    { term: 'Denied', count: denied },
    { term: 'Put away for later', count: postponed },
    { term: 'Still waiting', count: waiting },
  ];
  return (
    <article className={styles.summary}>
      <h1 className={cx(foot.row4, styles.summaryTitle)}>
        <Icon {...signOf(review, left)} size={28} />
        {left === 0
          ? `You decided ${formats.counted(total, 'change')}`
          : `${formats.counted(left, 'change still awaits', 'changes still await')} your approval`}
      </h1>
      <dl className={styles.counts}>
        {lines.map(({ term, count }) => (
          <div key={term} className={styles.count}>
            <dt>{term}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <DecidedList review={worstFirst(review)} isBusy={isBusy} onUndo={onUndo} />
      {review.seal && <Seal {...review.seal} />}
    </article>
  );
}
