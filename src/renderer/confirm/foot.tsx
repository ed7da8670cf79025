import { type ReactElement, type RefObject, useEffect, useId, useRef, useState } from 'react';
import {
  useFormats,
  Button,
  Icon,
  isTyping,
  KeyHint,
  keysOf,
  shortcutOf,
  useWindowKeys,
  common,
  cx,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import {
  canChoose,
  type ConfirmationState,
  isBlocked,
  isTypedRight,
  type Confirmation,
} from './state/confirmation-state.ts';
import { DecidedList } from './decided.tsx';
import { DecideButton, FreshPressButton, type Readiness } from './decide.tsx';
import type { Flow, Problem } from './state/flow.ts';
import styles from './foot.module.css';
import { ReviewBar } from './review-bar.tsx';
import type { Formats } from '#shared/lib/formats.ts';
import {
  admitWords,
  approveBatchWords,
  approveCountWords,
  approveWords,
  batchProgress,
} from '#shared/wording/index.ts';

export interface FootProps {
  confirmation: Confirmation;
  state: ConfirmationState;
  flow: Extract<Flow, { kind: 'asking' | 'deciding' }>;
}

function readinessOf(state: ConfirmationState): Readiness {
  if (canChoose(state, 'deny', performance.now())) return 'armed';
  return isBlocked(state) || state.gesture.armsAtMs === null ? 'waiting' : 'arming';
}

function approveText({ detail, targets, listed, proposedBy }: ProposalView, formats: Formats): string {
  if (detail.kind === 'admission') return admitWords(proposedBy.name);
  if (detail.kind !== 'batch')
    return listed === undefined
      ? approveWords(targets, formats)
      : approveCountWords(listed.changing, formats);
  const { members, campaignCount } = detail;
  return campaignCount === undefined
    ? approveBatchWords(members, formats)
    : approveCountWords(campaignCount, formats);
}

export function Foot({ confirmation, state, flow }: FootProps): ReactElement {
  const formats = useFormats();
  const hintId = useId();
  const deny = useRef<HTMLButtonElement>(null);
  const { displayId, proposal, review } = flow.display;
  const readiness = readinessOf(state);
  const { appearance } = state.gesture;
  const typedRight = isTypedRight(state);
  useEffect(() => deny.current?.focus(), [displayId]);

  return (
    <footer className={styles.foot}>
      {flow.kind === 'asking' && flow.problem && <ProblemNote {...flow.problem} />}
      {review && (
        <DecidedList
          review={review}
          isBusy={readiness !== 'armed'}
          onUndo={confirmation.undoDecided}
          className={styles.strip}
        />
      )}
      {review && <ReviewBar review={review} step={confirmation.step} />}
      <div className={styles.footRow}>
        <DecideButton
          ref={deny}
          choice="deny"
          readiness={readiness}
          appearance={appearance}
          perceive={confirmation.handleGesture}
        >
          Deny
        </DecideButton>
        <input
          className={styles.reason}
          aria-label="Reason for denying (optional)"
          placeholder="Reason (optional)"
          maxLength={500}
          autoComplete="off"
          value={state.reason}
          onChange={(event) => confirmation.giveReason(event.target.value)}
        />
        {!typedRight && !state.approvalEnded && (
          <span className={styles.hint} id={hintId}>
            Type {proposal.typeToConfirm?.value} above first
          </span>
        )}
        {state.approvalEnded ? (
          proposal.canPrepareAgain && (
            <Button size="large" kind="primary" icon="refresh" onClick={confirmation.prepareAgain}>
              Prepare again
            </Button>
          )
        ) : (
          <DecideButton
            choice="approve"
            readiness={readiness}
            blocked={!typedRight}
            appearance={appearance}
            describedBy={typedRight ? undefined : hintId}
            perceive={confirmation.handleGesture}
          >
            <Icon name="proposals" />
            {approveText(proposal, formats)}
          </DecideButton>
        )}
      </div>
    </footer>
  );
}

/**
 * Shows a question when the emergency stop's shortcut is pressed during typing. The window's menu handles any other press, and
 * the second press.
 */
export function StopKey(): ReactElement | null {
  const [isAsking, setIsAsking] = useState(false);
  useWindowKeys((event) => {
    if (modifiers.has(event.key)) return;
    const isStop = !event.isComposing && shortcutOf(event, ['emergencyStop']) !== null;
    const asks = isStop && !isAsking && isTyping(event.target);
    // The menu receives every key that the page does not cancel.
    if (asks || (isStop && event.repeat)) event.preventDefault();
    if (!event.repeat) setIsAsking(asks);
  });
  if (!isAsking) return null;
  return (
    <p className={cx(common.row2, styles.stop)} role="alert">
      <Icon name="warning" />
      <span>
        Press <KeyHint keys={keysOf('emergencyStop')} /> again to stop all agents.
      </span>
    </p>
  );
}

const modifiers: ReadonlySet<string> = new Set(['Control', 'Shift', 'Meta', 'Alt']);

type WorkingFlow = Extract<Flow, { kind: 'preparing' | 'deciding' }>;

function progressWords(flow: WorkingFlow, formats: Formats): string {
  if (flow.kind === 'preparing') return 'Preparing the change again…';
  if (flow.choice === 'deny') return 'Recording your decision…';
  const { detail } = flow.display.proposal;
  if (detail.kind === 'admission') return 'Approved. Granting access…';
  return detail.kind === 'batch'
    ? `Approved. ${batchProgress(detail.members, formats)}…`
    : 'Approved. Sending and verifying…';
}

function ProblemNote({ message, next, blocking }: Problem): ReactElement {
  return (
    <p className={styles.problem} role="alert">
      <Icon name={blocking ? 'offline' : 'warning'} />
      <span>
        <strong>{message}</strong> {next}
        {blocking && <span> Nothing can be approved until then.</span>}
      </span>
    </p>
  );
}

export function Progress({
  flow,
}: {
  flow: Extract<Flow, { kind: 'preparing' | 'deciding' }>;
}): ReactElement {
  const formats = useFormats();
  return (
    <footer className={styles.progressFoot} role="status">
      <span className={styles.line} aria-hidden />
      {progressWords(flow, formats)}
    </footer>
  );
}

export function UndoOffer({ flow, onUndo }: { flow: Flow; onUndo: () => void }): ReactElement | null {
  if (flow.kind !== 'rested' || flow.undo === undefined) return null;
  const { problem, isPreparing } = flow.undo;
  return (
    <>
      {problem !== null && <ProblemNote {...problem} blocking={false} />}
      <Button size="large" icon="reset" disabled={isPreparing} onClick={onUndo}>
        {isPreparing ? 'Preparing…' : 'Undo change'}
      </Button>
    </>
  );
}

export interface CloseFootProps {
  waiting: number;
  undo: ReactElement;
  onClose: () => void;
}

const waitingWords = (count: number, formats: Formats): string =>
  `${formats.counted(count, 'more change awaits your approval', 'more changes await your approval')}.`;

export function CloseFoot({ waiting, undo, onClose }: CloseFootProps): ReactElement {
  const formats = useFormats();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <footer className={styles.closeFoot}>
      {undo}
      <span>{waiting > 0 && waitingWords(waiting, formats)}</span>
      <FreshPressButton ref={button} size="large" onClick={onClose}>
        {waiting === 0 ? 'Close window' : 'Next change'}
      </FreshPressButton>
    </footer>
  );
}

export function MoreBelow({ scroller }: { scroller: RefObject<HTMLElement | null> }): ReactElement | null {
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setMore(element.scrollHeight - element.scrollTop - element.clientHeight > 8);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  if (!more) return null;
  return (
    <div className={styles.more} aria-hidden>
      <span>
        More below <Icon name="arrow-down" size={12} />
      </span>
    </div>
  );
}
