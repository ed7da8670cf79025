import { useEffect, useId, useRef, type ReactElement } from 'react';
import type { ProposalView } from '#shared/app-api/index.ts';
import { admitWords, approveBatchWords, approveWords, Icon } from '#renderer/ui/index.ts';
import { canChoose, isTypedRight, type Confirmation, type ConfirmationState } from '../flow/confirmation.ts';
import type { Flow } from '../flow/flow.ts';
import { DecideButton, type Readiness } from './decide-button.tsx';
import styles from '../foot.module.css';

export interface FootProps {
  confirmation: Confirmation;
  state: ConfirmationState;
  flow: Extract<Flow, { kind: 'asking' }>;
}

function readinessOf(state: ConfirmationState): Readiness {
  if (canChoose(state, 'deny', performance.now())) return 'armed';
  const blocked = state.flow.kind === 'asking' && state.flow.problem?.blocking === true;
  return blocked || state.gesture.armsAtMs === null ? 'waiting' : 'arming';
}

function approveText({ detail, targets, proposedBy }: ProposalView): string {
  if (detail.kind === 'admission') return admitWords(proposedBy.name);
  return detail.kind === 'batch' ? approveBatchWords(detail.members) : approveWords(targets);
}

/** Deny on the left with the focus and its reason, Approve on the right, and what keeps them from being pressed. */
export function Foot({ confirmation, state, flow }: FootProps): ReactElement {
  const hintId = useId();
  const deny = useRef<HTMLButtonElement>(null);
  const { showingId, proposal } = flow.showing;
  const readiness = readinessOf(state);
  const { appearance } = state.gesture;
  const typedRight = isTypedRight(state);
  useEffect(() => deny.current?.focus(), [showingId]);

  return (
    <footer className={styles.foot}>
      {flow.problem && (
        <p className={styles.problem} role="alert">
          <Icon name={flow.problem.blocking ? 'offline' : 'warning'} />
          <span>
            <strong>{flow.problem.message}</strong> {flow.problem.next}
            {flow.problem.blocking && ' Nothing can be approved until then.'}
          </span>
        </p>
      )}
      <div className={styles.footRow}>
        <DecideButton
          ref={deny}
          choice="deny"
          readiness={readiness}
          appearance={appearance}
          perceive={confirmation.perceive}
        >
          Deny
        </DecideButton>
        <input
          className={styles.reason}
          aria-label="Reason for denying (optional)"
          placeholder="with a reason…"
          maxLength={500}
          autoComplete="off"
          value={state.reason}
          onChange={(event) => confirmation.giveReason(event.target.value)}
        />
        {!typedRight && (
          <span className={styles.hint} id={hintId}>
            Type {proposal.typeToConfirm?.value} above first
          </span>
        )}
        <DecideButton
          choice="approve"
          readiness={readiness}
          blocked={!typedRight}
          appearance={appearance}
          describedBy={typedRight ? undefined : hintId}
          perceive={confirmation.perceive}
        >
          <Icon name="proposals" />
          {approveText(proposal)}
        </DecideButton>
      </div>
    </footer>
  );
}
