import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  answerableCodes,
  type DecisionResult,
  type LedgerSeal,
  type ReviewProgress,
  type Showing,
  type Turned,
} from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Choice } from './gesture.ts';

export interface Problem {
  message: string;
  next: string;
  /** True if no decision is possible until the core answers. */
  blocking: boolean;
}

export interface UndoOffer {
  showing: Showing;
  isPreparing: boolean;
  problem: Pick<Problem, 'message' | 'next'> | null;
}

export interface ReviewStand {
  from: Showing;
  review: ReviewProgress;
}

export type Flow =
  | { kind: 'opening' }
  | { kind: 'asking'; showing: Showing; problem: Problem | null }
  | { kind: 'deciding'; showing: Showing; choice: Choice }
  | { kind: 'preparing'; showing: Showing }
  /** The settled result: denied, verified, differs, refused, unknown or stale. */
  | { kind: 'rested'; proposal: ProposalView; after: ReviewStand | null; undo?: UndoOffer; seal?: LedgerSeal }
  | { kind: 'summary'; after: ReviewStand }
  | { kind: 'over'; proposal: ProposalView | null; message: string; next: string };

/** Answers contain the id of their showing, so a late answer about another showing has no effect. */
export type FlowEvent =
  | { kind: 'opened'; showing: Showing }
  | { kind: 'openFailed'; error: AppError }
  | { kind: 'looked'; showing: Showing }
  | { kind: 'lookFailed'; showingId: string; error: AppError }
  | { kind: 'chosen'; choice: Choice }
  | ({ kind: 'decided'; showingId: string } & DecisionResult)
  | { kind: 'decisionFailed'; showingId: string; error: AppError }
  | { kind: 'prepareAsked' }
  | { kind: 'prepared'; showingId: string; showing: Showing }
  | { kind: 'prepareFailed'; showingId: string; error: AppError }
  | { kind: 'undoAsked' }
  | { kind: 'undoProposed'; showingId: string; showing: Showing }
  | { kind: 'undoFailed'; showingId: string; error: AppError }
  | ({ kind: 'turned'; showingId: string } & Turned)
  | { kind: 'turnFailed'; showingId: string; error: AppError }
  | { kind: 'progressed'; showingId: string; review: ReviewProgress }
  | { kind: 'expired' }
  | { kind: 'reopened' };

function isOpen(proposal: ProposalView): boolean {
  return isUndecided(proposal.state) && proposal.conflict.length === 0;
}

function memberStates({ proposal: { detail } }: Showing): string {
  return detail.kind === 'batch' ? detail.members.map(({ state }) => state).join() : '';
}

/** True if a person sees a difference, because a difference restarts arming. */
function hasChanged(before: Showing, after: Showing): boolean {
  return (
    before.showingId !== after.showingId ||
    before.fingerprint !== after.fingerprint ||
    before.proposal.state !== after.proposal.state ||
    before.proposal.updatedAtMs !== after.proposal.updatedAtMs ||
    memberStates(before) !== memberStates(after)
  );
}

function asking(showing: Showing): Flow {
  return isOpen(showing.proposal)
    ? { kind: 'asking', showing, problem: null }
    : { kind: 'rested', proposal: showing.proposal, after: null };
}

const ended = new Set(['showing_unknown', 'not_signed_in']);

function over(proposal: ProposalView | null, { message, next }: { message: string; next: string }): Flow {
  return { kind: 'over', proposal, message, next };
}

const isSilent = ({ code }: AppError): boolean => code === 'core_unreachable' || code === 'internal';

/** The question stays open and shows why the decision failed. */
const askingAgain = (showing: Showing, { message, next }: AppError, blocking = false): Flow => ({
  kind: 'asking',
  showing,
  problem: { message, next, blocking },
});

function notOpened(error: AppError): Flow {
  if (!ended.has(error.code)) return over(null, error);
  return over(null, {
    message: 'This page has nothing to confirm.',
    next: 'It was opened already or is too old. Press Review change in Countersign to see a change that waits.',
  });
}

function lookFailed(showing: Showing, error: AppError): Flow {
  if (isSilent(error)) return askingAgain(showing, error, true);
  if (!ended.has(error.code)) return over(showing.proposal, error);
  return over(showing.proposal, {
    message: 'This confirmation is over: the change was decided, withdrawn, or opened in another window.',
    next: 'Look at Proposals in Countersign: it shows the outcome.',
  });
}

function decisionFailed({ showing, choice }: Extract<Flow, { kind: 'deciding' }>, error: AppError): Flow {
  if (answerableCodes.has(error.code)) return askingAgain(showing, error);
  if (ended.has(error.code)) {
    return over(showing.proposal, {
      message:
        'This confirmation was over when you pressed: it had expired, was withdrawn, or was opened anew.',
      next: 'Your press decided nothing. Look at Proposals in Countersign.',
    });
  }
  if (!isSilent(error) || choice === 'deny') return over(showing.proposal, error);
  return over(showing.proposal, {
    message: 'Countersign gave no answer after you approved. The change may or may not have been sent.',
    next: 'Look at Proposals in Countersign: it shows the outcome. Nothing is sent twice.',
  });
}

function looked(flow: Extract<Flow, { kind: 'asking' }>, showing: Showing): Flow {
  if (flow.showing.showingId !== showing.showingId) return flow;
  if (hasChanged(flow.showing, showing)) return asking(showing);
  const problem = flow.problem?.blocking ? null : flow.problem;
  const aside = ({ review, formats }: Showing): string => JSON.stringify([review, formats]);
  const isSame = aside(flow.showing) === aside(showing);
  // The displayed question has not changed, so it stays armed when other changes arrive or leave.
  return isSame && problem === flow.problem ? flow : { ...flow, showing, problem };
}

function whileAsking(flow: Extract<Flow, { kind: 'asking' }>, event: FlowEvent): Flow {
  switch (event.kind) {
    case 'looked':
      return looked(flow, event.showing);
    case 'lookFailed':
      return event.showingId === flow.showing.showingId ? lookFailed(flow.showing, event.error) : flow;
    case 'chosen':
      return flow.problem?.blocking
        ? flow
        : { kind: 'deciding', showing: flow.showing, choice: event.choice };
    case 'prepareAsked':
      return flow.problem?.blocking ? flow : { kind: 'preparing', showing: flow.showing };
    case 'turned':
    case 'turnFailed':
      return whileTurning(flow, event);
    case 'expired':
      return over(
        flow.showing.proposal,
        new AppError('proposal_expired', { message: 'Expired. Nothing was sent.' }),
      );
    default:
      return flow;
  }
}

const isAbout = ({ showingId }: Showing, event: FlowEvent): boolean =>
  'showingId' in event && event.showingId === showingId;

function whileDeciding(flow: Extract<Flow, { kind: 'deciding' }>, event: FlowEvent): Flow {
  if (event.kind === 'looked' && event.showing.showingId === flow.showing.showingId) {
    return { ...flow, showing: event.showing };
  }
  if (!isAbout(flow.showing, event)) return flow;
  if (event.kind === 'decisionFailed') return decisionFailed(flow, event.error);
  if (event.kind !== 'decided') return flow;
  if (event.again) return asking(event.again);
  return event.next === undefined ? rested(flow, event) : turnedTo(flow.showing, event.next);
}

function whileTurning(
  flow: Extract<Flow, { kind: 'asking' | 'rested' | 'summary' }>,
  event: Extract<FlowEvent, { kind: 'turned' | 'turnFailed' }>,
): Flow {
  const from = flow.kind === 'asking' ? flow.showing : flow.after?.from;
  if (from?.showingId !== event.showingId) return flow;
  if (event.kind === 'turned') return turnedTo(from, event);
  const { error } = event;
  if (flow.kind !== 'asking') return over(null, error);
  return ended.has(error.code) ? lookFailed(from, error) : askingAgain(from, error);
}

const turnedTo = (from: Showing, { showing, review }: Turned): Flow =>
  showing === null ? { kind: 'summary', after: { from, review } } : asking(showing);

function whileSummary(flow: Extract<Flow, { kind: 'summary' }>, event: FlowEvent): Flow {
  if (event.kind === 'turned' || event.kind === 'turnFailed') return whileTurning(flow, event);
  if (event.kind !== 'progressed' || !isAbout(flow.after.from, event)) return flow;
  return { kind: 'summary', after: { ...flow.after, review: event.review } };
}

function rested(
  { showing, choice }: Extract<Flow, { kind: 'deciding' }>,
  { proposal, review, seal }: DecisionResult,
): Flow {
  const after = review === undefined ? null : { from: showing, review };
  const canUndo = choice === 'approve' && proposal.undo?.canUndo === true;
  const undo = { showing, isPreparing: false, problem: null };
  return { kind: 'rested', proposal, after, ...(canUndo && { undo }), ...(seal && { seal }) };
}

function whileRested(flow: Extract<Flow, { kind: 'rested' }>, event: FlowEvent): Flow {
  if (event.kind === 'turned' || event.kind === 'turnFailed') return whileTurning(flow, event);
  const { undo } = flow;
  if (undo === undefined) return flow;
  if (event.kind === 'undoAsked') return { ...flow, undo: { ...undo, isPreparing: true, problem: null } };
  if (!isAbout(undo.showing, event)) return flow;
  if (event.kind === 'undoProposed') return asking(event.showing);
  if (event.kind !== 'undoFailed') return flow;
  const { message, next } = ended.has(event.error.code) ? undoElsewhere : event.error;
  return { ...flow, undo: { ...undo, isPreparing: false, problem: { message, next } } };
}

const undoElsewhere = {
  message: 'This window cannot undo the change any more. Nothing was sent.',
  next: 'Open the change in Proposals and undo it there.',
};

function whilePreparing(flow: Extract<Flow, { kind: 'preparing' }>, event: FlowEvent): Flow {
  const { showing } = flow;
  if (!isAbout(showing, event)) return flow;
  if (event.kind === 'prepared') return asking(event.showing);
  if (event.kind !== 'prepareFailed') return flow;
  const { error } = event;
  return ended.has(error.code) ? lookFailed(showing, error) : askingAgain(showing, error);
}

/** Returns the next state. An event that has no meaning in the current state changes nothing. */
export function stepFlow(flow: Flow, event: FlowEvent): Flow {
  if (event.kind === 'reopened') return { kind: 'opening' };
  switch (flow.kind) {
    case 'opening':
      if (event.kind === 'opened') return asking(event.showing);
      return event.kind === 'openFailed' ? notOpened(event.error) : flow;
    case 'asking':
      return whileAsking(flow, event);
    case 'deciding':
      return whileDeciding(flow, event);
    case 'preparing':
      return whilePreparing(flow, event);
    case 'rested':
      return whileRested(flow, event);
    case 'summary':
      return whileSummary(flow, event);
    case 'over':
      return flow;
    default:
      return assertNever(flow);
  }
}

/** True if arming has to restart: the question is new, has changed, or can be decided again. */
export function asksAnew(before: Flow, after: Flow): boolean {
  if (after.kind !== 'asking' || after.problem?.blocking) return false;
  if (before.kind !== 'asking' || before.problem?.blocking) return true;
  return hasChanged(before.showing, after.showing);
}
