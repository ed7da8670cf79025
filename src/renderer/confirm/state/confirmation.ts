import { armingDelayMs, type Showing } from '#shared/host-api/index.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { formatsOf } from '#shared/lib/shown-formats.ts';
import { asksAnew, type FlowEvent, stepFlow, type Flow } from './flow.ts';
import { type GestureEvent, initialGesture, stepGesture, isArmed } from './gesture.ts';
import {
  type ConfirmationState,
  canChoose,
  type PageEnvironment,
  type Page,
  type Confirmation,
} from './confirmation-state.ts';
import { createRequests, asAppError, seenOf } from './requests.ts';

/** A timer may come a little early by the other clock; the redraw that shows the armed buttons must not. */
const redrawSlackMs = 8;

/** Binds the flow and the gesture to a host's bridge. */
export function createConfirmation(surroundings: PageEnvironment): Confirmation {
  const { bridge } = surroundings;
  const listeners = new Set<() => void>();
  const question = numberedQuestions();
  let state: ConfirmationState = {
    flow: { kind: 'opening' },
    formats: usualFormats,
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

  function advance(event: FlowEvent): void {
    const before = state.flow;
    const flow = stepFlow(before, event);
    if (flow === before) return;
    if ('showing' in flow)
      set({ formats: formatsOf(flow.showing.formats, flow.showing.proposal.profile.zone) });
    set({ flow, approvalEnded: hasApprovalEnded(flow, surroundings.wallMs()) });
    if (!asksAnew(before, flow)) return;
    if (before.kind !== 'asking') set({ typed: '' });
    appear();
  }

  const page: Page = {
    state: () => state,
    set,
    advance,
    look,
    failLook: (showingId) => (error) => {
      if (!state.turning) advance({ kind: 'lookFailed', showingId, error: asAppError(error) });
    },
  };
  const requests = createRequests(page, surroundings);
  const watch = createWatch(page, surroundings, appear);

  async function look(showing: Showing): Promise<void> {
    const isNewest = question();
    try {
      const now = await bridge.look(seenOf(showing));
      if (isNewest()) advance({ kind: 'looked', showing: now });
    } catch (error) {
      if (isNewest()) throw error;
    }
  }

  async function reportSeen(showing: Showing): Promise<void> {
    const { appearance } = state.gesture;
    await bridge.seen(seenOf(showing));
    // Being seen moves the proposal. Learned here and not at the next heartbeat, which would take a press that has begun.
    await look(showing);
    if (state.gesture.appearance !== appearance) return;
    perceive({ kind: 'acknowledged', appearance, atMs: surroundings.monotonicMs() });
    setTimeout(() => set({}), armingDelayMs + redrawSlackMs);
  }

  function appear(): void {
    if (state.flow.kind !== 'asking') return;
    const { showing } = state.flow;
    perceive({ kind: 'appeared', attentive: surroundings.isAttentive() });
    void reportSeen(showing).catch(page.failLook(showing.showingId));
  }

  function perceive(event: GestureEvent): void {
    const { gesture, made } = stepGesture(state.gesture, event);
    set({ gesture });
    if (made !== null && canChoose(state, made, surroundings.monotonicMs())) requests.decide(made);
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    state: () => state,
    subscribe,
    start() {
      const stopWatching = watch(subscribe);
      const stop = bridge.onReopened(() => {
        advance({ kind: 'reopened' });
        set({ typed: '', reason: '' });
        void requests.open();
      });
      const stopWaiting = bridge.onWaiting((waiting) => set({ waiting }));
      void requests.open();
      return () => {
        stopWatching();
        stop();
        stopWaiting();
      };
    },
    appear,
    perceive,
    type: (typed) => set({ typed }),
    giveReason: (reason) => set({ reason }),
    prepareAgain: requests.prepareAgain,
    undo: requests.undo,
    turn: requests.turn,
    picture: requests.picture,
    targets: requests.targets,
    // A host that does not answer keeps its window; the person closes it by its frame.
    close: () => void bridge.close({}).catch(() => {}),
  };
}

/** Interval at which the page checks that its showing still lives, in milliseconds. */
const heartbeatMs = 2000;

/** Interval at which it reads a batch's progress, in milliseconds. */
const followingMs = 500;

/** Interval at which it reads the clock and its own state, in milliseconds. */
const lookMs = 250;

/** True for a question whose approval by the service has ended. */
function hasApprovalEnded(flow: Flow, nowMs: number): boolean {
  if (flow.kind !== 'asking') return false;
  const { approvalEndsAtMs } = flow.showing.proposal;
  return approvalEndsAtMs !== undefined && nowMs >= approvalEndsAtMs;
}

/** Begins to watch; the returned function ends it. */
type Watch = (subscribe: (listener: () => void) => () => void) => () => void;

/** Makes the watch over the showing and the clock. While the window shows no question and no execution, it sleeps. */
function createWatch(page: Page, surroundings: PageEnvironment, appear: () => void): Watch {
  let drawnArmed = false;

  /** Changes without an event: an expiry, an attention that is there, buttons that have armed since they were drawn. */
  function lookAround(): void {
    const { flow, gesture, approvalEnded: hadEnded } = page.state();
    if (flow.kind !== 'asking') return;
    if (surroundings.wallMs() >= flow.showing.proposal.expiresAtMs) return page.advance({ kind: 'expired' });
    const approvalEnded = hasApprovalEnded(flow, surroundings.wallMs());
    if (approvalEnded !== hadEnded) page.set({ approvalEnded });
    if (!gesture.attentive && surroundings.isAttentive()) return appear();
    const armed = isArmed(gesture, surroundings.monotonicMs());
    if (armed !== drawnArmed) page.set({});
    drawnArmed = armed;
  }

  function beat(): void {
    const { flow } = page.state();
    if (flow.kind === 'asking') look(flow.showing);
  }

  /** A batch is executed one change after the other, and its showing lives on until the end. */
  function follow(): void {
    const { flow } = page.state();
    if (flow.kind !== 'deciding' || flow.choice !== 'approve') return;
    if (flow.showing.proposal.detail.kind === 'batch') look(flow.showing);
  }

  function look(showing: Showing): void {
    void page.look(showing).catch(page.failLook(showing.showingId));
  }

  return (subscribe) => {
    let timers: ReturnType<typeof setInterval>[] = [];
    function sleep(): void {
      timers.forEach((timer) => clearInterval(timer));
      timers = [];
    }
    function wakeOrSleep(): void {
      const { kind } = page.state().flow;
      if (kind !== 'asking' && kind !== 'deciding') return sleep();
      if (timers.length > 0) return;
      timers = [
        setInterval(beat, heartbeatMs),
        setInterval(lookAround, lookMs),
        setInterval(follow, followingMs),
      ];
    }
    const unsubscribe = subscribe(wakeOrSleep);
    wakeOrSleep();
    return () => {
      unsubscribe();
      sleep();
    };
  };
}
