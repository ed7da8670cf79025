import { armingDelayMs, type Showing } from '#shared/host-api/index.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { formatsOf } from '#shared/lib/shown-formats.ts';
import { asksAnew, type FlowEvent, stepFlow } from './flow.ts';
import { type GestureEvent, initialGesture, stepGesture } from './gesture.ts';
import {
  type ConfirmationState,
  canChoose,
  type PageEnvironment,
  type Page,
  type Confirmation,
} from './confirmation-state.ts';
import { createRequests, asAppError, seenOf } from './requests.ts';
import { createWatch, hasApprovalEnded } from './watch.ts';

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
