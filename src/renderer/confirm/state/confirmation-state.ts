import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import type { Showing, Turn } from '#shared/host-api/index.ts';
import type { Flow, FlowEvent } from './flow.ts';
import { type Choice, type Gesture, isArmed, type GestureEvent } from './gesture.ts';
import type { LoadedPicture, TargetPage } from '#shared/app-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Everything that the page draws. */
export interface ConfirmationState {
  /** How the page writes numbers and moments: as the last display asks. */
  formats: Formats;
  flow: Flow;
  gesture: Gesture;
  /** The typed value, if the proposal asks for one. */
  typed: string;
  /** The reason for Deny. */
  reason: string;
  /** Number of further changes that wait for a decision in this window. */
  waiting: number;
  /** The service's approval of the shown change has ended: it can be denied or prepared again. */
  approvalEnded: boolean;
  /** Another change of the review is on its way: nothing can be decided until it is there. */
  turning: boolean;
}

/** One confirmation page from its ticket to the verdict. */
export interface Confirmation {
  state(): ConfirmationState;
  subscribe(listener: () => void): () => void;
  /** Opens the showing and keeps watch over it until the returned function is called. */
  start(): () => void;
  /** The page became visible or regained the focus. */
  appear(): void;
  perceive(event: GestureEvent): void;
  type(text: string): void;
  giveReason(text: string): void;
  /** Has the shown change prepared again; the result takes its place. */
  prepareAgain(): void;
  /** Proposes to take back what this window has written; the undo takes its place. */
  undo(): void;
  /** Goes on to another change of the review: from a question whose buttons have armed, or from an outcome. */
  turn(to: Turn['to']): void;
  /** Loads a picture that the shown proposal names. Fails as the bridge does, and with `showing_unknown` after the decision. */
  picture(url: string): Promise<LoadedPicture>;
  /** Reads a page of the campaigns that the shown proposal lists; null if that failed, or after the decision. */
  targets(from: number): Promise<TargetPage['targets'] | null>;
  /** The person has read the outcome. */
  close(): void;
}

/** True when what was typed is what the proposal asks for, or when it asks for nothing. */
export function isTypedRight(state: ConfirmationState): boolean {
  const asked = state.flow.kind === 'asking' ? state.flow.showing.proposal.typeToConfirm : null;
  return asked === null || state.typed.trim() === asked.value;
}

/** True when the review can go there from what is on screen. */
export function canTurn(
  { flow, turning, gesture }: ConfirmationState,
  to: Turn['to'],
  nowMs: number,
): boolean {
  if (turning) return false;
  if (flow.kind === 'summary')
    return to === 'next' && flow.after.review.waiting + flow.after.review.putAway > 0;
  if (flow.kind === 'rested')
    return to === 'next' || (to === 'previous' && flow.after?.review.hasPrevious === true);
  if (flow.kind !== 'asking' || flow.problem?.blocking === true || !isArmed(gesture, nowMs)) return false;
  const { review } = flow.showing;
  if (review === undefined) return false;
  if (to === 'together') return review.identical > 1;
  return to !== 'previous' || review.hasPrevious;
}

/** True when a press on the button would count. */
export function canChoose(state: ConfirmationState, choice: Choice, nowMs: number): boolean {
  const open = state.flow.kind === 'asking' && state.flow.problem?.blocking !== true;
  const mayApprove = isTypedRight(state) && !state.approvalEnded;
  return open && !state.turning && isArmed(state.gesture, nowMs) && (choice === 'deny' || mayApprove);
}

/** Services that the confirmation takes from its page. */
export interface PageEnvironment {
  bridge: ConfirmBridge;
  /** The clock of input events, in milliseconds. */
  monotonicMs(): number;
  /** The clock of expiry, in milliseconds since 1970. */
  wallMs(): number;
  /** True while the page is visible and has the focus. */
  isAttentive(): boolean;
}

export interface Page {
  state(): ConfirmationState;
  set(change: Partial<ConfirmationState>): void;
  advance(event: FlowEvent): void;
  /** Reads the showing as it is now. The answer that comes after one to a later look says nothing. Fails as the bridge does. */
  look(showing: Showing): Promise<void>;
  /** Takes the failure of a look. One at a showing that was left meanwhile has nothing to say. */
  failLook(showingId: string): (error: unknown) => void;
}
