import { type ReactElement, useEffect, useRef, useSyncExternalStore, type ReactNode, useMemo } from 'react';
import {
  ApprovalEnded,
  FormatsProvider,
  TargetLoader,
  BatchContent,
  ConflictTable,
  Fingerprint,
  ForeignText,
  Icon,
  type IconName,
  type PillTone,
  QuotedText,
  Rule,
  StatePill,
  VerdictList,
  common,
  cx,
  AdmissionContent,
  FactList,
  FinePrint,
  Outdated,
  Quotation,
  riskiest,
  RiskFigures,
  ToolContent,
  WarningList,
  WhatChanges,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import styles from './page.module.css';
import { type ConfirmationState, isTypedRight, type Confirmation } from './state/confirmation-state.ts';
import { PictureLoader, ChangedPictures, UnchangedPictures } from './creative-pictures.tsx';
import type { Flow } from './state/flow.ts';
import { Band, ProfileBand } from './band.tsx';
import { CloseFoot, Foot, MoreBelow, Progress, StopKey, UndoOffer } from './foot.tsx';
import { ReviewFoot, Summary, useReviewKeys } from './review-bar.tsx';
import { TypeToConfirm } from './decide.tsx';
import { Seal } from './decided.tsx';
import type { LedgerSeal } from '#shared/host-api/index.ts';
import {
  endingForPerson,
  proposalTone,
  stateWords,
  spendsNothing,
  unchangedKindOf,
} from '#shared/wording/index.ts';

function proposalOf(flow: Flow): ProposalView | null {
  if (flow.kind === 'opening' || flow.kind === 'summary') return null;
  return 'display' in flow ? flow.display.proposal : flow.proposal;
}

function profileOf(flow: Flow): ProposalView['profile'] | null {
  return (flow.kind === 'summary' ? flow.after.from.proposal : proposalOf(flow))?.profile ?? null;
}

export function ConfirmPage({ confirmation }: { confirmation: Confirmation }): ReactElement {
  const state = useSyncExternalStore(confirmation.subscribe, confirmation.state);
  const scroller = useRef<HTMLElement>(null);
  const { flow } = state;
  const proposal = proposalOf(flow);
  useAttention(confirmation);
  useReviewKeys(confirmation);
  useProfileColour(profileOf(flow));
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [proposal?.id, flow.kind]);

  // During a review, the review bar already shows the position among all undecided changes.
  const behind = flow.kind === 'asking' && flow.display.review ? 0 : state.waiting;
  if (flow.kind === 'opening') return <div className={styles.page} aria-busy />;
  return (
    <FormatsProvider value={state.formats}>
      <div className={styles.page}>
        {flow.kind === 'summary' && <ProfileBand profile={flow.after.from.proposal.profile} />}
        {proposal && <Band proposal={proposal} expiring={flow.kind === 'asking'} waiting={behind} />}
        <main className={styles.scroller} ref={scroller}>
          <PictureLoader value={confirmation.picture}>
            <TargetLoader value={confirmation.targets}>
              <Body confirmation={confirmation} state={state} />
            </TargetLoader>
          </PictureLoader>
        </main>
        <MoreBelow scroller={scroller} key={flow.kind} />
        {window.countersignConfirm && <StopKey />}
        <Feet confirmation={confirmation} state={state} />
      </div>
    </FormatsProvider>
  );
}

interface PartProps {
  confirmation: Confirmation;
  state: ConfirmationState;
}

function Body({ confirmation, state }: PartProps): ReactElement | null {
  const { flow, typed } = state;
  switch (flow.kind) {
    case 'opening':
      return null;
    case 'asking':
    case 'preparing':
    case 'deciding': {
      const { proposal } = flow.display;
      const asked = proposal.typeToConfirm;
      const field = asked && (
        <TypeToConfirm
          asked={asked}
          typed={typed}
          right={flow.kind === 'asking' && isTypedRight(state)}
          disabled={flow.kind !== 'asking'}
          onType={confirmation.type}
        />
      );
      return proposal.detail.kind === 'admission' ? (
        <AdmissionQuestion key={flow.display.displayId} proposal={proposal} detail={proposal.detail} />
      ) : (
        <Question
          key={flow.display.displayId}
          proposal={proposal}
          notice={state.approvalEnded && <ApprovalEnded canPrepareAgain={proposal.canPrepareAgain} />}
          typeToConfirm={field}
        />
      );
    }
    case 'rested':
      return <Outcome proposal={flow.proposal} seal={flow.seal} />;
    case 'over':
      return <Over flow={flow} />;
    case 'summary':
      return <Summary review={flow.after.review} isBusy={state.stepping} onUndo={confirmation.undoDecided} />;
  }
}

function Feet({ confirmation, state }: PartProps): ReactElement {
  const { flow } = state;
  // In a review the next change follows at once, so the buttons stay where they are.
  const isInReview = flow.kind === 'deciding' && flow.display.review !== undefined;
  if (flow.kind === 'asking' || isInReview)
    return <Foot confirmation={confirmation} state={state} flow={flow} />;
  if (flow.kind === 'preparing' || flow.kind === 'deciding') return <Progress flow={flow} />;
  const undo = <UndoOffer flow={flow} onUndo={confirmation.undo} />;
  if ('after' in flow && flow.after !== null)
    return <ReviewFoot confirmation={confirmation} state={state} after={flow.after} undo={undo} />;
  return <CloseFoot waiting={state.waiting} undo={undo} onClose={confirmation.close} />;
}

function useProfileColour(profile: ProposalView['profile'] | null): void {
  const kind = profile?.kind;
  useEffect(() => {
    if (kind !== undefined) document.documentElement.dataset['profile'] = kind;
  }, [kind]);
}

function useAttention(confirmation: Confirmation): void {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') confirmation.appear();
      else confirmation.handleGesture({ kind: 'left' });
    };
    const leave = (): void => confirmation.handleGesture({ kind: 'left' });
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    window.addEventListener('blur', leave);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
      window.removeEventListener('blur', leave);
    };
  }, [confirmation]);
}

const icons: Record<PillTone, IconName> = {
  good: 'check-circle',
  bad: 'alert-circle',
  waiting: 'help',
  busy: 'clock',
  neutral: 'close',
};

function endingOf(proposal: ProposalView): { sentence: string; next: string | null } {
  const { state, outcome } = proposal;
  const ending = endingForPerson(proposal);
  if (ending !== null) return ending;
  const isListed = outcome?.code === 'batch_done';
  return {
    sentence: outcome?.message ?? stateWords[state].sentence,
    next: isListed ? null : (outcome?.next ?? null),
  };
}

interface OutcomeProps {
  proposal: ProposalView;
  seal: LedgerSeal | undefined;
}

function Outcome({ proposal, seal }: OutcomeProps): ReactElement {
  const { state, conflict, verdicts, reason, changes, detail } = proposal;
  const { sentence, next } = endingOf(proposal);
  const tone = proposalTone(proposal);
  return (
    <article className={styles.outcome}>
      <OutcomeHead icon={icons[tone]} tone={tone} sentence={sentence}>
        {next !== null && <p>{next}</p>}
        {state === 'unknown' && <p>Proposals shows the result. Nothing is sent twice.</p>}
        <p className={styles.outcomeTitle}>
          <StatePill state={state} operation={proposal.operation} /> <ForeignText text={proposal.title} />
        </p>
      </OutcomeHead>
      {conflict.length > 0 && (
        <section aria-label={detail.kind === 'tool' ? 'What changed meanwhile' : 'Changed on both sides'}>
          <ConflictTable conflicts={conflict} />
        </section>
      )}
      {detail.kind === 'batch' && <BatchContent batch={detail} targets={proposal.targets} />}
      {verdicts.length > 0 && (
        <section aria-label="Read back">
          <Rule title="Stored by the service now" />
          <VerdictList verdicts={verdicts} changed={changes.map((change) => change.field)} />
        </section>
      )}
      {reason !== null && (
        <p>
          Your reason: <QuotedText text={reason} />
        </p>
      )}
      <p className={styles.small}>
        Fingerprint <Fingerprint hex={proposal.fingerprint} />
      </p>
      {seal && <Seal {...seal} />}
    </article>
  );
}

export interface OutcomeHeadProps {
  icon: IconName;
  tone: PillTone;
  /** May contain a message of the service. */
  sentence: string;
  children: ReactNode;
}

function OutcomeHead({ icon, tone, sentence, children }: OutcomeHeadProps): ReactElement {
  return (
    <header className={styles.head}>
      <Icon name={icon} size={28} tone={tone} />
      <div className={cx(common.stack1, styles.words)}>
        <h1 className={styles.sentence}>
          <ForeignText text={sentence} />
        </h1>
        {children}
      </div>
    </header>
  );
}

function Over({ flow }: { flow: Extract<Flow, { kind: 'over' }> }): ReactElement {
  return (
    <OutcomeHead icon="clock" tone="neutral" sentence={flow.message}>
      <p>{flow.next}</p>
      {flow.proposal && (
        <p>
          Proposal: <ForeignText text={flow.proposal.title} />
        </p>
      )}
    </OutcomeHead>
  );
}

interface QuestionProps {
  proposal: ProposalView;
  notice: ReactNode;
  typeToConfirm: ReactNode;
}

/** Draws the riskiest part first. All content is text, never markup. */
function Question({ proposal, notice, typeToConfirm }: QuestionProps): ReactElement {
  const { risk, rebase, warnings, quotation, proposedBy, changes, unchanged, detail } = proposal;
  const { targets, listed } = proposal;
  const quote = quotation !== null && <Quotation who={proposedBy.name} words={quotation} />;
  const pictures = <ChangedPictures proposal={proposal} />;
  // A change that is more dangerous than the picture comes before it.
  const isPictureFirst = risk.headline === undefined && riskiest(risk) === null;
  const unchangedPictures = useMemo(() => <UnchangedPictures proposal={proposal} />, [proposal]);
  const change = { changes, unchangedCount: unchanged.length, targets, listed };
  return (
    <article className={cx(common.stack4, styles.question)}>
      <h1 className={styles.questionTitle}>
        <ForeignText text={proposal.title} />
      </h1>
      {notice}
      {rebase && <Outdated {...rebase} />}
      {isPictureFirst && pictures}
      {!spendsNothing(proposal) && <RiskFigures risk={risk} />}
      {risk.notes.length > 0 && <p className={cx(common.quiet, styles.notes)}>{risk.notes.join(' ')}</p>}
      <WarningList warnings={warnings}>{typeToConfirm}</WarningList>
      {!isPictureFirst && pictures}
      <FactList facts={proposal.facts} areNow={detail.kind === 'tool' && detail.known === 'campaign'} />
      {detail.kind === 'batch' ? (
        <BatchContent batch={detail} targets={targets} listed={listed} />
      ) : detail.kind === 'tool' ? (
        <ToolContent tool={detail} {...change}>
          {quote}
        </ToolContent>
      ) : (
        <WhatChanges {...change} />
      )}
      {detail.kind !== 'tool' && quote}
      <FinePrint
        unchanged={unchanged}
        unchangedAre={unchangedKindOf(proposal)}
        payload={proposal.payload}
        fingerprint={proposal.fingerprint}
        pictures={unchangedPictures}
        call={detail.kind === 'tool' && detail.effect === 'stated' ? detail : null}
      />
    </article>
  );
}

interface AdmissionQuestionProps {
  proposal: ProposalView;
  detail: Extract<ProposalView['detail'], { kind: 'admission' }>;
}

function AdmissionQuestion({ proposal, detail }: AdmissionQuestionProps): ReactElement {
  const { title, warnings, proposedBy, profile, payload, fingerprint } = proposal;
  const { redirectHost, words, scopes, until } = detail;
  return (
    <article className={cx(common.stack4, styles.question)}>
      <h1 className={styles.questionTitle}>
        <ForeignText text={title} />
      </h1>
      <WarningList warnings={warnings} />
      <AdmissionContent
        name={proposedBy.name}
        profile={profile}
        redirectHost={redirectHost}
        words={words}
        scopes={scopes}
        until={until}
      />
      <FinePrint unchanged={[]} unchangedAre="fields" payload={payload} fingerprint={fingerprint} />
    </article>
  );
}
