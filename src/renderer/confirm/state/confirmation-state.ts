import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import type { Display, Step } from '#shared/host-api/index.ts';
import type { Flow, FlowEvent } from './flow.ts';
import { type Choice, type Gesture, isArmed, type GestureEvent } from './gesture.ts';
import type { LoadedPicture, TargetPage } from '#shared/app-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface ConfirmationState {
  formats: Formats;
  flow: Flow;
  gesture: Gesture;
  typed: string;
  reason: string;
  waiting: number;
  /** The service's approval has ended. The change can only be denied or prepared again. */
  approvalEnded: boolean;
  /** The change has expired by the page's clock. No decision is possible until the core reports the outcome. */
  expired: boolean;
  /** The next change of the review is loading. No decision is possible until it is shown. */
  stepping: boolean;
}

export interface Confirmation {
  state(): ConfirmationState;
  subscribe(listener: () => void): () => void;
  start(): () => void;
  appear(): void;
  handleGesture(event: GestureEvent): void;
  type(text: string): void;
  giveReason(text: string): void;
  prepareAgain(): void;
  undo(): void;
  step(to: Exclude<Step['to'], 'undo'>): void;
  /** Proposes to undo a change that was decided in this review, and shows that proposal. */
  undoDecided(proposalId: string): void;
  /** Loads a picture. Fails as the bridge does, or with `display_unknown` after the decision. */
  picture(url: string): Promise<LoadedPicture>;
  targets(from: number): Promise<TargetPage['targets'] | null>;
  close(): void;
}

export function isTypedRight(state: ConfirmationState): boolean {
  const asked = state.flow.kind === 'asking' ? state.flow.display.proposal.typeToConfirm : null;
  return asked === null || state.typed.trim() === asked.value;
}

/** True if no decision is possible until the core answers. */
export function isBlocked({ flow, expired }: ConfirmationState): boolean {
  return expired || (flow.kind === 'asking' && flow.problem?.blocking === true);
}

export function canStep(state: ConfirmationState, to: Step['to'], nowMs: number): boolean {
  const { flow, stepping, gesture } = state;
  if (stepping) return false;
  if (flow.kind === 'summary' && to === 'undo') return true;
  if (flow.kind === 'summary')
    return to === 'next' && flow.after.review.waiting + flow.after.review.postponed > 0;
  if (flow.kind === 'rested')
    return to === 'next' || (to === 'previous' && flow.after?.review.hasPrevious === true);
  if (flow.kind !== 'asking' || isBlocked(state) || !isArmed(gesture, nowMs)) return false;
  const { review } = flow.display;
  if (review === undefined) return false;
  if (to === 'undo') return review.decided.length > 0;
  if (to === 'together') return review.identical > 1;
  if (to === 'singly') return review.canPart;
  return to !== 'previous' || review.hasPrevious;
}

export function canChoose(state: ConfirmationState, choice: Choice, nowMs: number): boolean {
  const mayApprove = isTypedRight(state) && !state.approvalEnded;
  const isOpen = state.flow.kind === 'asking' && !isBlocked(state);
  return isOpen && !state.stepping && isArmed(state.gesture, nowMs) && (choice === 'deny' || mayApprove);
}

export interface PageEnvironment {
  bridge: ConfirmBridge;
  /** The clock of input events, in milliseconds. */
  monotonicMs(): number;
  /** The clock of expiry, in milliseconds since 1970. */
  wallMs(): number;
  isAttentive(): boolean;
}

export interface Page {
  state(): ConfirmationState;
  set(change: Partial<ConfirmationState>): void;
  advance(event: FlowEvent): void;
  /** Reads the display again. An answer is dropped if a later read was answered first. Fails as the bridge does. */
  look(display: Display): Promise<void>;
  failLook(displayId: string): (error: unknown) => void;
}
