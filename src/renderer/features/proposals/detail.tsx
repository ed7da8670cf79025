import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { ledgerStore } from '#renderer/stores/ledger/ledger-store.ts';
import { type ProposalDetail, proposalsStore } from './stores/proposals-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { undoOf, undoStore } from '#renderer/stores/undo-store.ts';
import {
  cx,
  common,
  useFormats,
  AdmissionContent,
  ApprovalEnded,
  Banner,
  type BannerTone,
  BatchContent,
  Button,
  ConflictTable,
  FinePrint,
  ForeignText,
  Outdated,
  type PillTone,
  ProfileSign,
  Quotation,
  QuotedText,
  RiskFigures,
  Rule,
  StatePill,
  TargetLoader,
  TimeLeft,
  ToolContent,
  UndoPart,
  untilTitle,
  useHasPassed,
  VerdictList,
  WarningList,
  WhatChanges,
  GuideLink,
  FailureBanner,
  FailureState,
  Loading,
  pages,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { isInDelivery, isUndecided } from '#shared/proposals/states.ts';
import {
  endingForPerson,
  proposedByWords,
  spendsNothing,
  proposalTone,
  stateWords,
  unchangedKindOf,
} from '#shared/wording/index.ts';
import styles from './proposals.module.css';

export function Detail({ detail }: { detail: ProposalDetail }): ReactElement {
  const { proposal, failure } = detail;
  if (proposal) {
    return (
      <div className={cx(common.stack, styles.detail)}>
        <DetailHead proposal={proposal} doing={detail.doing} />
        <div className={cx(common.stack, pages.scroll, styles.body)}>
          {failure && <FailureBanner failure={failure} />}
          <TargetLoader value={proposalsStore.getState().readTargets}>
            <Body key={proposal.id} proposal={proposal} />
          </TargetLoader>
        </div>
      </div>
    );
  }
  if (failure) return <FailureState failure={failure}>Nothing was changed.</FailureState>;
  return <Loading label="Reading the proposal" widths={['60%', '80%', '40%']} />;
}

function Body({ proposal }: { proposal: ProposalView }): ReactElement {
  const formats = useFormats();
  const { risk, rebase, conflict, verdicts, warnings, quotation, proposedBy, unchanged, targets } = proposal;
  const { detail, listed } = proposal;
  const hasEnded = useHasPassed(proposal.approvalEndsAtMs);
  const change = { changes: proposal.changes, unchangedCount: unchanged.length, targets, listed };
  return (
    <>
      <Ending proposal={proposal} />
      {hasEnded && isUndecided(proposal.state) && (
        <ApprovalEnded canPrepareAgain={proposal.canPrepareAgain} />
      )}
      {conflict.length > 0 && (
        <section>
          <Rule title={detail.kind === 'tool' ? 'What changed meanwhile' : 'Changed on both sides'} />
          <ConflictTable conflicts={conflict} />
        </section>
      )}
      {verdicts.length > 0 && (
        <section>
          <Rule title="Stored by the service now" />
          <VerdictList verdicts={verdicts} changed={proposal.changes.map((change) => change.field)} />
        </section>
      )}
      {rebase && <Outdated {...rebase} />}
      {proposal.prunedAtMs !== null ? (
        <Banner tone="info" title={`Details removed ${formats.moment(proposal.prunedAtMs)}.`}>
          Values and payload of a settled change are kept for a time that you set in Settings. It cannot be
          reversed any more; the ledger still has what was approved.
        </Banner>
      ) : detail.kind === 'admission' ? (
        <>
          <WarningList warnings={warnings} />
          <AdmissionContent name={proposedBy.name} profile={proposal.profile} {...detail} />
        </>
      ) : (
        <>
          {!spendsNothing(proposal) && <RiskFigures risk={risk} queue={proposal.queue} />}
          {risk.notes.length > 0 && <p className={cx(common.quiet, styles.notes)}>{risk.notes.join(' ')}</p>}
          <WarningList warnings={warnings} />
          {detail.kind === 'batch' ? (
            <BatchContent
              batch={detail}
              targets={targets}
              listed={listed}
              hrefOf={(id) => routeHref({ page: 'proposals', id })}
            />
          ) : detail.kind === 'tool' ? (
            <ToolContent tool={detail} {...change} />
          ) : (
            <WhatChanges {...change} />
          )}
        </>
      )}
      {quotation !== null && <Quotation who={proposedBy.name} words={quotation} />}
      {proposal.reason !== null && (
        <p>
          Reason for denying: <QuotedText text={proposal.reason} />
        </p>
      )}
      {proposal.prunedAtMs === null && (
        <FinePrint
          unchanged={unchanged}
          unchangedAre={unchangedKindOf(proposal)}
          payload={proposal.payload}
          fingerprint={proposal.fingerprint}
          call={detail.kind === 'tool' && detail.effect === 'stated' ? detail : null}
        />
      )}
    </>
  );
}

const tones: Record<PillTone, BannerTone> = {
  good: 'good',
  bad: 'danger',
  waiting: 'warning',
  busy: 'info',
  neutral: 'info',
};

function Ending({ proposal }: { proposal: ProposalView }): ReactElement | null {
  const { state, outcome, replacedBy } = proposal;
  if (isUndecided(state)) return null;
  const { sentence } = stateWords[state];
  const tone = proposalTone(proposal);
  const ending = endingForPerson(proposal);
  return (
    <Banner tone={tones[tone]} title={ending?.sentence ?? outcome?.message ?? sentence}>
      {ending === null ? outcome?.next : ending.next}
      {replacedBy !== null && (
        <>
          {' '}
          <a href={routeHref({ page: 'proposals', id: replacedBy })}>Open the proposal that replaced it</a>
        </>
      )}
    </Banner>
  );
}

function PrepareAgain({ id }: { id: string }): ReactElement {
  const [isBusy, setIsBusy] = useState(false);
  async function prepare(): Promise<void> {
    setIsBusy(true);
    const navigate = uiStore.getState().fromHere();
    const successor = await reviewStore.getState().prepareAgain(id);
    setIsBusy(false);
    if (successor !== null) navigate({ page: 'proposals', id: successor });
  }
  return (
    <Button kind="primary" icon="refresh" disabled={isBusy} onClick={() => void prepare()}>
      {isBusy ? 'Preparing…' : 'Prepare again'}
    </Button>
  );
}

interface DetailHeadProps {
  proposal: ProposalView;
  doing: ProposalDetail['doing'];
}

function DetailHead({ proposal, doing }: DetailHeadProps): ReactElement {
  const formats = useFormats();
  const { state, title, profile, proposedBy, detail, createdAtMs, updatedAtMs } = proposal;
  const members = detail.kind === 'batch' ? detail.askedBy : null;
  const elsewhere = useStore(
    sessionStore,
    ({ session }) => session !== null && session.profile.id !== profile.id,
  );
  const undoing = useStore(undoStore);
  const undecided = isUndecided(state);
  return (
    <header className={cx(common.stack2, styles.detailHead)}>
      <div className={styles.detailFacts}>
        <StatePill state={state} operation={proposal.operation} framed />
        {elsewhere && <ProfileSign kind={profile.kind} name={profile.name} framed />}
        <span className={styles.who} title={formats.moment(createdAtMs)}>
          <ForeignText text={proposedByWords(proposedBy, members)} /> at{' '}
          {formats.shortMoment(createdAtMs, Date.now())}
        </span>
        {undecided ? (
          <span title={untilTitle(proposal.expiresAtMs, formats)}>
            <TimeLeft untilMs={proposal.expiresAtMs} />
          </span>
        ) : (
          <span title={formats.moment(updatedAtMs)}>
            {isInDelivery(state) || state === 'unknown' ? 'since' : 'settled at'}{' '}
            {formats.shortMoment(updatedAtMs, Date.now())}
          </span>
        )}
        <Button kind="quiet" size="small" icon="ledger" onClick={() => showInLedger(proposal.id)}>
          In the ledger
        </Button>
      </div>
      <h2 className={cx(pages.title, styles.detailTitle)}>
        <ForeignText text={title} />
      </h2>
      <Actions proposal={proposal} doing={doing} />
      {proposal.undo && (
        <UndoPart
          undo={proposal.undo}
          {...undoOf(undoing, proposal.id)}
          hrefOf={(id) => routeHref({ page: 'proposals', id })}
        />
      )}
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
  const hasEnded = useHasPassed(proposal.approvalEndsAtMs);
  if (state === 'unknown') {
    return (
      <div className={common.wrap2}>
        <Button icon="refresh" disabled={doing !== null} onClick={() => void settle()}>
          {doing === 'settle' ? 'Reading…' : 'Check now'}
        </Button>
        <GuideLink href={routeHref({ page: 'guide', place: 'unknown-outcomes/what-you-can-do' })} />
      </div>
    );
  }
  if (state === 'expired' && proposal.canPrepareAgain) {
    return (
      <div className={common.wrap2}>
        <PrepareAgain id={id} />
      </div>
    );
  }
  if (!isUndecided(state)) return null;
  return (
    <div className={common.wrap2}>
      {hasEnded && proposal.canPrepareAgain ? (
        <PrepareAgain id={id} />
      ) : (
        <Button kind="primary" disabled={hasEnded} onClick={() => void reviewStore.getState().review(id)}>
          {reviewWords(detail)}
        </Button>
      )}
      <Button disabled={doing !== null} onClick={() => void withdraw()}>
        {doing === 'withdraw' ? 'Withdrawing…' : 'Withdraw'}
      </Button>
    </div>
  );
}
