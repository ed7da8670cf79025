import type { ProposalView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import {
  answerableCodes,
  endedCodes,
  type DecisionResult,
  type LedgerSeal,
  type ReviewProgress,
  type Display,
  type Stepped,
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
  display: Display;
  isPreparing: boolean;
  problem: Pick<Problem, 'message' | 'next'> | null;
}

export interface ReviewStand {
  from: Display;
  review: ReviewProgress;
}

export type Flow =
  | { kind: 'opening' }
  | { kind: 'asking'; display: Display; problem: Problem | null }
  | { kind: 'deciding'; display: Display; choice: Choice }
  | { kind: 'preparing'; display: Display }
  /** The settled result: denied, verified, differs, refused, unknown or stale. */
  | { kind: 'rested'; proposal: ProposalView; after: ReviewStand | null; undo?: UndoOffer; seal?: LedgerSeal }
  | { kind: 'summary'; after: ReviewStand }
  | { kind: 'over'; proposal: ProposalView | null; message: string; next: string };

/** Answers contain the id of their display, so a late answer about another display has no effect. */
export type FlowEvent =
  | { kind: 'opened'; display: Display }
  | { kind: 'openFailed'; error: AppError }
  | { kind: 'looked'; display: Display }
  | { kind: 'lookFailed'; displayId: string; error: AppError }
  | { kind: 'chosen'; choice: Choice }
  | ({ kind: 'decided'; displayId: string } & DecisionResult)
  | { kind: 'decisionFailed'; displayId: string; error: AppError }
  /** The change had ended when the person pressed. */
  | { kind: 'foundEnded'; displayId: string; display: Display }
  | { kind: 'prepareAsked' }
  | { kind: 'prepared'; displayId: string; display: Display }
  | { kind: 'prepareFailed'; displayId: string; error: AppError }
  | { kind: 'undoAsked' }
  | { kind: 'undoProposed'; displayId: string; display: Display }
  | { kind: 'undoFailed'; displayId: string; error: AppError }
  | ({ kind: 'stepped'; displayId: string } & Stepped)
  | { kind: 'stepFailed'; displayId: string; error: AppError }
  | { kind: 'progressed'; displayId: string; review: ReviewProgress }
  | { kind: 'reopened' };

function isOpen(proposal: ProposalView): boolean {
  return isUndecided(proposal.state) && proposal.conflict.length === 0;
}

function memberStates({ proposal: { detail } }: Display): string {
  return detail.kind === 'batch' ? detail.members.map(({ state }) => state).join() : '';
}

/** True if a person sees a difference, because a difference restarts arming. */
function hasChanged(before: Display, after: Display): boolean {
  return (
    before.displayId !== after.displayId ||
    before.fingerprint !== after.fingerprint ||
    before.proposal.state !== after.proposal.state ||
    before.proposal.updatedAtMs !== after.proposal.updatedAtMs ||
    memberStates(before) !== memberStates(after)
  );
}

function asking(display: Display): Flow {
  const { proposal, review } = display;
  if (isOpen(proposal)) return { kind: 'asking', display, problem: null };
  // A review continues from a change that ended without a decision.
  const continues = review !== undefined && !isUndecided(proposal.state);
  return { kind: 'rested', proposal, after: continues ? { from: display, review } : null };
}

const ended = new Set(['display_unknown', 'not_signed_in']);

/** True if the display, or the proposal in it, no longer waits for a decision. */
export const hasEnded = ({ code }: AppError): boolean => ended.has(code) || endedCodes.has(code);

function over(proposal: ProposalView | null, { message, next }: { message: string; next: string }): Flow {
  return { kind: 'over', proposal, message, next };
}

const isSilent = ({ code }: AppError): boolean => code === 'core_unreachable' || code === 'internal';

/** The question stays open and shows why the decision failed. */
const askingAgain = (display: Display, { message, next }: AppError, blocking = false): Flow => ({
  kind: 'asking',
  display,
  problem: { message, next, blocking },
});

function notOpened(error: AppError): Flow {
  if (!ended.has(error.code)) return over(null, error);
  return over(null, {
    message: 'This page has nothing to confirm.',
    next: 'It was opened already or is too old. Press Review change in Countersign to see a change that waits.',
  });
}

function lookFailed(display: Display, error: AppError): Flow {
  if (isSilent(error)) return askingAgain(display, error, true);
  if (!ended.has(error.code)) return over(display.proposal, error);
  return over(display.proposal, {
    message: 'This confirmation is over: the change was decided, withdrawn, or opened in another window.',
    next: 'Look at Proposals in Countersign: it shows the outcome.',
  });
}

function decisionFailed({ display, choice }: Extract<Flow, { kind: 'deciding' }>, error: AppError): Flow {
  if (answerableCodes.has(error.code)) return askingAgain(display, error);
  if (ended.has(error.code)) {
    return over(display.proposal, {
      message:
        'This confirmation was over when you pressed: it had expired, was withdrawn, or was opened anew.',
      next: 'Your press decided nothing. Look at Proposals in Countersign.',
    });
  }
  if (!isSilent(error) || choice === 'deny') return over(display.proposal, error);
  return over(display.proposal, {
    message: 'Countersign gave no answer after you approved. The change may or may not have been sent.',
    next: 'Look at Proposals in Countersign: it shows the outcome. Nothing is sent twice.',
  });
}

function looked(flow: Extract<Flow, { kind: 'asking' }>, display: Display): Flow {
  if (flow.display.displayId !== display.displayId) return flow;
  if (hasChanged(flow.display, display)) return asking(display);
  const problem = flow.problem?.blocking ? null : flow.problem;
  const aside = ({ review, formats }: Display): string => JSON.stringify([review, formats]);
  const isSame = aside(flow.display) === aside(display);
  // The displayed question has not changed, so it stays armed when other changes arrive or leave.
  return isSame && problem === flow.problem ? flow : { ...flow, display, problem };
}

function whileAsking(flow: Extract<Flow, { kind: 'asking' }>, event: FlowEvent): Flow {
  switch (event.kind) {
    case 'looked':
      return looked(flow, event.display);
    case 'lookFailed':
      return event.displayId === flow.display.displayId ? lookFailed(flow.display, event.error) : flow;
    case 'chosen':
      return flow.problem?.blocking
        ? flow
        : { kind: 'deciding', display: flow.display, choice: event.choice };
    case 'prepareAsked':
      return flow.problem?.blocking ? flow : { kind: 'preparing', display: flow.display };
    case 'stepped':
    case 'stepFailed':
      return whileStepping(flow, event);
    case 'foundEnded':
      return isAbout(flow.display, event) ? asking(event.display) : flow;
    default:
      return flow;
  }
}

const isAbout = ({ displayId }: Display, event: FlowEvent): boolean =>
  'displayId' in event && event.displayId === displayId;

function whileDeciding(flow: Extract<Flow, { kind: 'deciding' }>, event: FlowEvent): Flow {
  if (event.kind === 'looked' && event.display.displayId === flow.display.displayId) {
    return { ...flow, display: event.display };
  }
  if (!isAbout(flow.display, event)) return flow;
  if (event.kind === 'decisionFailed') return decisionFailed(flow, event.error);
  if (event.kind === 'foundEnded') return asking(event.display);
  if (event.kind !== 'decided') return flow;
  if (event.again) return asking(event.again);
  return event.next === undefined ? rested(flow, event) : steppedTo(flow.display, event.next);
}

function whileStepping(
  flow: Extract<Flow, { kind: 'asking' | 'rested' | 'summary' }>,
  event: Extract<FlowEvent, { kind: 'stepped' | 'stepFailed' }>,
): Flow {
  const from = flow.kind === 'asking' ? flow.display : flow.after?.from;
  if (from?.displayId !== event.displayId) return flow;
  if (event.kind === 'stepped') return steppedTo(from, event);
  const { error } = event;
  if (flow.kind !== 'asking') return over(null, error);
  return ended.has(error.code) ? lookFailed(from, error) : askingAgain(from, error);
}

const steppedTo = (from: Display, { display, review }: Stepped): Flow =>
  display === null ? { kind: 'summary', after: { from, review } } : asking(display);

function whileSummary(flow: Extract<Flow, { kind: 'summary' }>, event: FlowEvent): Flow {
  if (event.kind === 'stepped' || event.kind === 'stepFailed') return whileStepping(flow, event);
  if (event.kind !== 'progressed' || !isAbout(flow.after.from, event)) return flow;
  return { kind: 'summary', after: { ...flow.after, review: event.review } };
}

function rested(
  { display, choice }: Extract<Flow, { kind: 'deciding' }>,
  { proposal, review, seal }: DecisionResult,
): Flow {
  const after = review === undefined ? null : { from: display, review };
  const canUndo = choice === 'approve' && proposal.undo?.canUndo === true;
  const undo = { display, isPreparing: false, problem: null };
  return { kind: 'rested', proposal, after, ...(canUndo && { undo }), ...(seal && { seal }) };
}

function whileRested(flow: Extract<Flow, { kind: 'rested' }>, event: FlowEvent): Flow {
  if (event.kind === 'stepped' || event.kind === 'stepFailed') return whileStepping(flow, event);
  const { undo } = flow;
  if (undo === undefined) return flow;
  if (event.kind === 'undoAsked') return { ...flow, undo: { ...undo, isPreparing: true, problem: null } };
  if (!isAbout(undo.display, event)) return flow;
  if (event.kind === 'undoProposed') return asking(event.display);
  if (event.kind !== 'undoFailed') return flow;
  const { message, next } = ended.has(event.error.code) ? undoElsewhere : event.error;
  return { ...flow, undo: { ...undo, isPreparing: false, problem: { message, next } } };
}

const undoElsewhere = {
  message: 'This window cannot undo the change any more. Nothing was sent.',
  next: 'Open the change in Proposals and undo it there.',
};

function whilePreparing(flow: Extract<Flow, { kind: 'preparing' }>, event: FlowEvent): Flow {
  const { display } = flow;
  if (!isAbout(display, event)) return flow;
  if (event.kind === 'prepared') return asking(event.display);
  if (event.kind !== 'prepareFailed') return flow;
  const { error } = event;
  return ended.has(error.code) ? lookFailed(display, error) : askingAgain(display, error);
}

/** Returns the next state. An event that has no meaning in the current state changes nothing. */
export function stepFlow(flow: Flow, event: FlowEvent): Flow {
  if (event.kind === 'reopened') return { kind: 'opening' };
  switch (flow.kind) {
    case 'opening':
      if (event.kind === 'opened') return asking(event.display);
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
  return hasChanged(before.display, after.display);
}
