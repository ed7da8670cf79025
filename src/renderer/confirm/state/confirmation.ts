import {
  armingDelayMs,
  type ReviewProgress,
  type Seen,
  type Showing,
  type Turn,
} from '#shared/host-api/index.ts';
import { isOpen } from '#shared/proposals/states.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { formatsOf, usualFormats } from '#shared/lib/formats.ts';
import { asksAnew, type FlowEvent, stepFlow, type Flow } from './flow.ts';
import { type GestureEvent, initialGesture, stepGesture, isArmed, type Choice } from './gesture.ts';
import {
  type ConfirmationState,
  canChoose,
  type PageEnvironment,
  type Page,
  type Confirmation,
  canTurn,
} from './confirmation-state.ts';
import type { LoadedPicture, TargetPage } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** Timers and events use different clocks. Without this slack, the redraw that shows armed buttons could come too early. */
const redrawSlackMs = 8;

export function createConfirmation(environment: PageEnvironment): Confirmation {
  const { bridge } = environment;
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
    set({ flow, approvalEnded: hasApprovalEnded(flow, environment.wallMs()) });
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
  const requests = createRequests(page, environment);
  const watch = createWatch(page, environment, appear);

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
    // `seen` changes the proposal, so it is read again at once. The next periodic read could cancel a press that has
    // begun.
    await look(showing);
    if (state.gesture.appearance !== appearance) return;
    perceive({ kind: 'acknowledged', appearance, atMs: environment.monotonicMs() });
    setTimeout(() => set({}), armingDelayMs + redrawSlackMs);
  }

  function appear(): void {
    if (state.flow.kind !== 'asking') return;
    const { showing } = state.flow;
    perceive({ kind: 'appeared', attentive: environment.isAttentive() });
    void reportSeen(showing).catch(page.failLook(showing.showingId));
  }

  function perceive(event: GestureEvent): void {
    const { gesture, made } = stepGesture(state.gesture, event);
    set({ gesture });
    if (made !== null && canChoose(state, made, environment.monotonicMs())) requests.decide(made);
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
    turn: (to) => requests.turn({ to }),
    undoDecided: (proposalId) => requests.turn({ to: 'undo', proposalId }),
    picture: requests.picture,
    targets: requests.targets,
    // If the host does not answer, the person closes the window.
    close: () => void bridge.close({}).catch(() => {}),
  };
}

const heartbeatMs = 2000;

const followingMs = 500;

const lookMs = 250;

function hasApprovalEnded(flow: Flow, nowMs: number): boolean {
  if (flow.kind !== 'asking') return false;
  const { approvalEndsAtMs } = flow.showing.proposal;
  return approvalEndsAtMs !== undefined && nowMs >= approvalEndsAtMs;
}

type Watch = (subscribe: (listener: () => void) => () => void) => () => void;

const isSending = ({ decided }: ReviewProgress): boolean => decided.some(({ state }) => isOpen(state));

function createWatch(page: Page, environment: PageEnvironment, appear: () => void): Watch {
  const { bridge } = environment;
  let drawnArmed = false;

  /** Detects changes that cause no event: an expiry, regained attention, buttons that became armed. */
  function detectChanges(): void {
    const { flow, gesture, approvalEnded: hadEnded } = page.state();
    if (flow.kind !== 'asking') return;
    if (environment.wallMs() >= flow.showing.proposal.expiresAtMs) return page.advance({ kind: 'expired' });
    const approvalEnded = hasApprovalEnded(flow, environment.wallMs());
    if (approvalEnded !== hadEnded) page.set({ approvalEnded });
    if (!gesture.attentive && environment.isAttentive()) return appear();
    const armed = isArmed(gesture, environment.monotonicMs());
    if (armed !== drawnArmed) page.set({});
    drawnArmed = armed;
  }

  function beat(): void {
    const { flow } = page.state();
    if (flow.kind === 'asking') look(flow.showing);
  }

  function follow(): void {
    const { flow } = page.state();
    if (flow.kind === 'asking' && flow.showing.review && isSending(flow.showing.review)) look(flow.showing);
    if (flow.kind === 'summary' && isSending(flow.after.review)) followSummary(flow.after.from);
    if (flow.kind !== 'deciding' || flow.choice !== 'approve') return;
    // A batch is executed change by change, and its showing exists until the last one.
    if (flow.showing.proposal.detail.kind === 'batch') look(flow.showing);
  }

  function followSummary(from: Showing): void {
    const { showingId } = from;
    void bridge.progress(seenOf(from)).then(
      (review) => page.advance({ kind: 'progressed', showingId, review }),
      // The next read may succeed. The decision is in the list too.
      () => {},
    );
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
    function updateTimers(): void {
      const { kind } = page.state().flow;
      if (kind !== 'asking' && kind !== 'deciding' && kind !== 'summary') return sleep();
      if (timers.length > 0) return;
      timers = [
        setInterval(beat, heartbeatMs),
        setInterval(detectChanges, lookMs),
        setInterval(follow, followingMs),
      ];
    }
    const unsubscribe = subscribe(updateTimers);
    updateTimers();
    return () => {
      unsubscribe();
      sleep();
    };
  };
}

/** A bug is shown as `internal`. */
const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('internal', { cause: error });

const seenOf = ({ showingId, nonce }: Seen): Seen => ({ showingId, nonce });

type TurnWithoutKey = { to: Exclude<Turn['to'], 'undo'> } | { to: 'undo'; proposalId: string };

function createRequests(page: Page, environment: PageEnvironment) {
  const { bridge } = environment;
  let openings = 0;

  /** Fails with `showing_unknown` after the decision. */
  function shown(): Seen {
    const { flow } = page.state();
    if (flow.kind !== 'asking' && flow.kind !== 'deciding') throw new AppError('showing_unknown');
    return seenOf(flow.showing);
  }

  /** Only the latest call counts: the window may be reused before an earlier call is answered. */
  async function open(): Promise<void> {
    const opening = (openings += 1);
    const arrive = (event: FlowEvent): void => {
      if (opening === openings) page.advance(event);
    };
    await bridge.open({}).then(
      (showing) => arrive({ kind: 'opened', showing }),
      (error: unknown) => arrive({ kind: 'openFailed', error: asAppError(error) }),
    );
  }

  function decide(choice: Choice): void {
    const { flow, typed, reason } = page.state();
    if (flow.kind !== 'asking') return;
    const { showingId, nonce, fingerprint, proposal, review } = flow.showing;
    page.advance({ kind: 'chosen', choice });
    const given = {
      reason: choice === 'deny' && reason.trim() !== '' ? reason.trim() : null,
      typed: choice === 'approve' && proposal.typeToConfirm ? typed.trim() : null,
    };
    const continueReview = review === undefined ? {} : { continueReview: true as const };
    void bridge.decide({ showingId, nonce, fingerprint, decision: choice, ...given, ...continueReview }).then(
      (result) => {
        if (result.next !== undefined) page.set({ reason: '' });
        page.advance({ kind: 'decided', showingId, ...result });
      },
      (error: unknown) => page.advance({ kind: 'decisionFailed', showingId, error: asAppError(error) }),
    );
  }

  function turn(turn: TurnWithoutKey): void {
    const state = page.state();
    const { flow } = state;
    if (!canTurn(state, turn.to, environment.monotonicMs())) return;
    const from = flow.kind === 'asking' ? flow.showing : 'after' in flow ? flow.after?.from : undefined;
    if (from === undefined) return;
    const { showingId } = from;
    page.set({ turning: true });
    const arrive = (event: FlowEvent): void => {
      if (event.kind === 'turned') page.set({ typed: '', reason: '' });
      page.advance(event);
      page.set({ turning: false });
    };
    void bridge.turn({ ...seenOf(from), ...turn }).then(
      (turned) => arrive({ kind: 'turned', showingId, ...turned }),
      (error: unknown) => arrive({ kind: 'turnFailed', showingId, error: asAppError(error) }),
    );
  }

  return {
    open,
    decide,
    prepareAgain(): void {
      const { flow } = page.state();
      if (flow.kind !== 'asking') return;
      const { showing } = flow;
      const { showingId } = showing;
      page.advance({ kind: 'prepareAsked' });
      void bridge.prepareAgain(seenOf(showing)).then(
        (again) => page.advance({ kind: 'prepared', showingId, showing: again }),
        (error: unknown) => page.advance({ kind: 'prepareFailed', showingId, error: asAppError(error) }),
      );
    },
    undo(): void {
      const { flow } = page.state();
      if (flow.kind !== 'rested' || flow.undo === undefined || flow.undo.isPreparing) return;
      const { showing } = flow.undo;
      const { showingId } = showing;
      page.advance({ kind: 'undoAsked' });
      page.set({ reason: '' });
      void bridge.undo(seenOf(showing)).then(
        (again) => page.advance({ kind: 'undoProposed', showingId, showing: again }),
        (error: unknown) => page.advance({ kind: 'undoFailed', showingId, error: asAppError(error) }),
      );
    },
    turn,
    async picture(url: string): Promise<LoadedPicture> {
      return bridge.picture({ ...shown(), url });
    },
    async targets(from: number): Promise<TargetPage['targets'] | null> {
      try {
        return (await bridge.targets({ ...shown(), from })).targets;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return null;
      }
    },
  };
}
