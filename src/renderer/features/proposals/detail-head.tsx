import type { ProposalView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { ledgerStore } from '#renderer/stores/ledger/index.ts';
import { proposalsStore, type ProposalDetail } from '#renderer/stores/proposals/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import {
  askedWords,
  Button,
  Countdown,
  ForeignText,
  momentText,
  ProfileSign,
  shortMomentText,
  StatePill,
} from '#renderer/ui/index.ts';
import styles from './proposals.module.css';

export interface DetailHeadProps {
  proposal: ProposalView;
  doing: ProposalDetail['doing'];
}

const under = new Set<ProposalView['state']>(['approved', 'intent', 'sent', 'unknown']);

/** The proposal's sentence, where it stands, who asked and when, and the few things that can be done from here. */
export function DetailHead({ proposal, doing }: DetailHeadProps): ReactElement {
  const { state, title, profile, proposedBy, detail, createdAtMs, updatedAtMs } = proposal;
  const members = detail.kind === 'batch' ? detail.askedBy : null;
  const elsewhere = useStore(
    sessionStore,
    ({ session }) => session !== null && session.profile.id !== profile.id,
  );
  const undecided = state === 'proposed' || state === 'shown';
  return (
    <header className={styles.detailHead}>
      <div className={styles.detailFacts}>
        <StatePill state={state} operation={proposal.operation} framed />
        {elsewhere && <ProfileSign kind={profile.kind} name={profile.name} framed />}
        <span className={styles.who} title={momentText(createdAtMs)}>
          <ForeignText text={askedWords(proposedBy, members)} /> at {shortMomentText(createdAtMs, Date.now())}
        </span>
        {undecided ? (
          <span title={momentText(proposal.expiresAtMs)}>
            expires in <Countdown untilMs={proposal.expiresAtMs} />
          </span>
        ) : (
          <span title={momentText(updatedAtMs)}>
            {under.has(state) ? 'since' : 'settled at'} {shortMomentText(updatedAtMs, Date.now())}
          </span>
        )}
        <Button kind="quiet" size="small" icon="ledger" onClick={() => showInLedger(proposal.id)}>
          In the ledger
        </Button>
      </div>
      <h2 className={styles.detailTitle}>
        <ForeignText text={title} />
      </h2>
      <Actions proposal={proposal} doing={doing} />
    </header>
  );
}

function showInLedger(id: string): void {
  ledgerStore.getState().filterBy(id);
  uiStore.getState().navigate({ page: 'ledger' });
}

function reviewWords(detail: ProposalView['detail']): string {
  if (detail.kind === 'admission') return 'Review';
  return detail.kind === 'batch' ? `Review ${detail.members.length} together` : 'Review change';
}

function Actions({ proposal, doing }: DetailHeadProps): ReactElement | null {
  const { id, state, detail } = proposal;
  const { withdraw, settle } = proposalsStore.getState();
  if (state === 'unknown') {
    return (
      <div className={styles.actions}>
        <Button icon="refresh" disabled={doing !== null} onClick={() => void settle()}>
          {doing === 'settle' ? 'Reading…' : 'Check now'}
        </Button>
      </div>
    );
  }
  if (state !== 'proposed' && state !== 'shown') return null;
  return (
    <div className={styles.actions}>
      <Button kind="primary" onClick={() => void reviewStore.getState().review(id)}>
        {reviewWords(detail)}
      </Button>
      <Button disabled={doing !== null} onClick={() => void withdraw()}>
        {doing === 'withdraw' ? 'Withdrawing…' : 'Withdraw'}
      </Button>
    </div>
  );
}
