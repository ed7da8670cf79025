import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import type { LoadedPicture } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs, type Showing, type Turn } from '#shared/host-api/index.ts';
import { applyFormats } from '#shared/lib/shown-formats.ts';
import { asksAnew, type Flow, type FlowEvent, stepFlow } from './flow.ts';
import {
  type Choice,
  type Gesture,
  type GestureEvent,
  initialGesture,
  isArmed,
  stepGesture,
} from './gesture.ts';

/** Interval at which the page checks that its showing still lives, in milliseconds. */
const heartbeatMs = 2000;

/** Interval at which it reads a batch's progress, in milliseconds. */
const followingMs = 500;

/** Interval at which it reads the clock and its own state, in milliseconds. */
const lookMs = 250;

/** A timer may come a little early by the other clock; the redraw that shows the armed buttons must not. */
const redrawSlackMs = 8;

/** Everything that the page draws. */
export interface ConfirmationState {
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

/** Services that the confirmation takes from its page. */
export interface Surroundings {
  bridge: ConfirmBridge;
  /** The clock of input events, in milliseconds. */
  monotonicMs(): number;
  /** The clock of expiry, in milliseconds since 1970. */
  wallMs(): number;
  /** True while the page is visible and has the focus. */
  isAttentive(): boolean;
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

const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('internal', { cause: error });

/** Binds the flow and the gesture to a host's bridge. */
export function createConfirmation(surroundings: Surroundings): Confirmation {
  const { bridge } = surroundings;
  const listeners = new Set<() => void>();
  let state: ConfirmationState = {
    flow: { kind: 'opening' },
    gesture: initialGesture,
    typed: '',
    reason: '',
    waiting: 0,
    approvalEnded: false,
    turning: false,
  };

  function set(change: Partial<ConfirmationState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function hasApprovalEnded(flow: Flow): boolean {
    if (flow.kind !== 'asking') return false;
    const { approvalEndsAtMs } = flow.showing.proposal;
    return approvalEndsAtMs !== undefined && surroundings.wallMs() >= approvalEndsAtMs;
  }

  function advance(event: FlowEvent): void {
    const before = state.flow;
    const flow = stepFlow(before, event);
    if (flow === before) return;
    if ('showing' in flow) applyFormats(flow.showing.formats, flow.showing.proposal.profile.zone);
    set({ flow, approvalEnded: hasApprovalEnded(flow) });
    if (!asksAnew(before, flow)) return;
    if (before.kind !== 'asking') set({ typed: '' });
    appear();
  }

  let openings = 0;

  /** Only the latest opening counts: the window may be reused before an earlier one was answered. */
  async function open(): Promise<void> {
    const opening = (openings += 1);
    const arrive = (event: FlowEvent): void => {
      if (opening === openings) advance(event);
    };
    await bridge.open().then(
      (showing) => arrive({ kind: 'opened', showing }),
      (error: unknown) => arrive({ kind: 'openFailed', error: asAppError(error) }),
    );
  }

  /** A look at a showing that was left meanwhile has nothing to say. */
  const failLook = (showingId: string) => (error: unknown) =>
    !state.turning && advance({ kind: 'lookFailed', showingId, error: asAppError(error) });

  async function tellSeen(showing: Showing): Promise<void> {
    const { appearance } = state.gesture;
    await bridge.seen(showing);
    // Being seen moves the proposal. Learned here and not at the next heartbeat, which would take a press that has begun.
    advance({ kind: 'looked', showing: await bridge.look(showing) });
    if (state.gesture.appearance !== appearance) return;
    perceive({ kind: 'acknowledged', appearance, atMs: surroundings.monotonicMs() });
    setTimeout(() => set({}), armingDelayMs + redrawSlackMs);
  }

  function appear(): void {
    if (state.flow.kind !== 'asking') return;
    const { showing } = state.flow;
    perceive({ kind: 'appeared', attentive: surroundings.isAttentive() });
    void tellSeen(showing).catch(failLook(showing.showingId));
  }

  function decide(choice: Choice): void {
    const { flow, typed, reason } = state;
    if (flow.kind !== 'asking') return;
    const { showingId, nonce, fingerprint, proposal } = flow.showing;
    advance({ kind: 'chosen', choice });
    const given = {
      reason: choice === 'deny' && reason.trim() !== '' ? reason.trim() : null,
      typed: choice === 'approve' && proposal.typeToConfirm ? typed.trim() : null,
    };
    void bridge.decide({ showingId, nonce, fingerprint, decision: choice, ...given }).then(
      (result) => advance({ kind: 'decided', showingId, ...result }),
      (error: unknown) => advance({ kind: 'decisionFailed', showingId, error: asAppError(error) }),
    );
  }

  function turn(to: Turn['to']): void {
    const { flow } = state;
    if (!canTurn(state, to, surroundings.monotonicMs())) return;
    const from = flow.kind === 'asking' ? flow.showing : 'after' in flow ? flow.after?.from : undefined;
    if (from === undefined) return;
    const { showingId } = from;
    set({ turning: true });
    const arrive = (event: FlowEvent): void => {
      if (event.kind === 'turned') set({ typed: '', reason: '' });
      advance(event);
      set({ turning: false });
    };
    void bridge.turn(from, to).then(
      (turned) => arrive({ kind: 'turned', showingId, ...turned }),
      (error: unknown) => arrive({ kind: 'turnFailed', showingId, error: asAppError(error) }),
    );
  }

  function perceive(event: GestureEvent): void {
    const { gesture, made } = stepGesture(state.gesture, event);
    set({ gesture });
    if (made !== null && canChoose(state, made, surroundings.monotonicMs())) decide(made);
  }

  let drawnArmed = false;

  /** Changes without an event: an expiry, an attention that is there, buttons that have armed since they were drawn. */
  function lookAround(): void {
    const { flow, gesture } = state;
    if (flow.kind !== 'asking') return;
    if (surroundings.wallMs() >= flow.showing.proposal.expiresAtMs) return advance({ kind: 'expired' });
    const approvalEnded = hasApprovalEnded(flow);
    if (approvalEnded !== state.approvalEnded) set({ approvalEnded });
    if (!gesture.attentive && surroundings.isAttentive()) return appear();
    const armed = isArmed(gesture, surroundings.monotonicMs());
    if (armed !== drawnArmed) set({});
    drawnArmed = armed;
  }

  function beat(): void {
    if (state.flow.kind !== 'asking') return;
    const { showing } = state.flow;
    void bridge
      .look(showing)
      .then((now) => advance({ kind: 'looked', showing: now }), failLook(showing.showingId));
  }

  /** A batch is carried out one change after the other, and its showing lives on until the end. */
  function follow(): void {
    if (state.flow.kind !== 'deciding' || state.flow.choice !== 'approve') return;
    const { showing } = state.flow;
    if (showing.proposal.detail.kind !== 'batch') return;
    void bridge
      .look(showing)
      .then((now) => advance({ kind: 'looked', showing: now }), failLook(showing.showingId));
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      const heart = setInterval(beat, heartbeatMs);
      const looking = setInterval(lookAround, lookMs);
      const following = setInterval(follow, followingMs);
      const stop = bridge.onReopened(() => {
        advance({ kind: 'reopened' });
        set({ typed: '', reason: '' });
        void open();
      });
      const stopWaiting = bridge.onWaiting((waiting) => set({ waiting }));
      void open();
      return () => {
        clearInterval(heart);
        clearInterval(looking);
        clearInterval(following);
        stop();
        stopWaiting();
      };
    },
    appear,
    perceive,
    type: (typed) => set({ typed }),
    giveReason: (reason) => set({ reason }),
    prepareAgain() {
      const { flow } = state;
      if (flow.kind !== 'asking') return;
      const { showing } = flow;
      const { showingId } = showing;
      advance({ kind: 'prepareAsked' });
      void bridge.prepareAgain(showing).then(
        (again) => advance({ kind: 'prepared', showingId, showing: again }),
        (error: unknown) => advance({ kind: 'prepareFailed', showingId, error: asAppError(error) }),
      );
    },
    undo() {
      const { flow } = state;
      if (flow.kind !== 'rested' || flow.undo === undefined || flow.undo.isPreparing) return;
      const { showing } = flow.undo;
      const { showingId } = showing;
      advance({ kind: 'undoAsked' });
      set({ reason: '' });
      void bridge.undo(showing).then(
        (again) => advance({ kind: 'undoProposed', showingId, showing: again }),
        (error: unknown) => advance({ kind: 'undoFailed', showingId, error: asAppError(error) }),
      );
    },
    turn,
    async picture(url) {
      const { flow } = state;
      if (flow.kind !== 'asking' && flow.kind !== 'deciding') throw new AppError('showing_unknown');
      return bridge.picture(flow.showing, url);
    },
    // A host that does not answer keeps its window; the person closes it by its frame.
    close: () => void bridge.close().catch(() => {}),
  };
}
