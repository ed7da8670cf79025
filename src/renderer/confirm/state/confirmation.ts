import {
  armingDelayMs,
  type ReviewProgress,
  type Seen,
  type Display,
  type Step,
} from '#shared/host-api/index.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { formatsOf, defaultFormats } from '#shared/lib/formats.ts';
import { asksAnew, hasEnded, type FlowEvent, stepFlow, type Flow } from './flow.ts';
import { type GestureEvent, initialGesture, stepGesture, isArmed, type Choice } from './gesture.ts';
import {
  type ConfirmationState,
  canChoose,
  type PageEnvironment,
  type Page,
  type Confirmation,
  canStep,
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
    formats: defaultFormats,
    gesture: initialGesture,
    typed: '',
    reason: '',
    waiting: 0,
    approvalEnded: false,
    expired: false,
    stepping: false,
  };

  function set(change: Partial<ConfirmationState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function advance(event: FlowEvent): void {
    const before = state.flow;
    const flow = stepFlow(before, event);
    if (flow === before) return;
    if ('display' in flow)
      set({ formats: formatsOf(flow.display.formats, flow.display.proposal.profile.zone) });
    set({ flow, ...timesOver(flow, environment.wallMs()) });
    if (!asksAnew(before, flow)) return;
    if (before.kind !== 'asking') set({ typed: '' });
    appear();
  }

  const page: Page = {
    state: () => state,
    set,
    advance,
    look,
    failLook: (displayId) => (error) => {
      if (!state.stepping) advance({ kind: 'lookFailed', displayId, error: asAppError(error) });
    },
  };
  const requests = createRequests(page, environment);
  const watch = createWatch(page, environment, appear);

  async function look(display: Display): Promise<void> {
    const isNewest = question();
    try {
      const now = await bridge.look(seenOf(display));
      if (isNewest()) advance({ kind: 'looked', display: now });
    } catch (error) {
      if (isNewest()) throw error;
    }
  }

  async function reportSeen(display: Display): Promise<void> {
    const { appearance } = state.gesture;
    await bridge.seen(seenOf(display));
    // `seen` changes the proposal, so it is read again at once. The next periodic read could cancel a press that has
    // begun.
    await look(display);
    if (state.gesture.appearance !== appearance) return;
    handleGesture({ kind: 'acknowledged', appearance, atMs: environment.monotonicMs() });
    setTimeout(() => set({}), armingDelayMs + redrawSlackMs);
  }

  function appear(): void {
    if (state.flow.kind !== 'asking') return;
    const { display } = state.flow;
    handleGesture({ kind: 'appeared', attentive: environment.isAttentive() });
    void reportSeen(display).catch(page.failLook(display.displayId));
  }

  function handleGesture(event: GestureEvent): void {
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
    handleGesture,
    type: (typed) => set({ typed }),
    giveReason: (reason) => set({ reason }),
    prepareAgain: requests.prepareAgain,
    undo: requests.undo,
    step: (to) => requests.step({ to }),
    undoDecided: (proposalId) => requests.step({ to: 'undo', proposalId }),
    picture: requests.picture,
    targets: requests.targets,
    // If the host does not answer, the person closes the window.
    close: () => void bridge.close({}).catch(() => {}),
  };
}

const heartbeatMs = 2000;

const followingMs = 500;

const lookMs = 250;

function timesOver(flow: Flow, nowMs: number): Pick<ConfirmationState, 'approvalEnded' | 'expired'> {
  if (flow.kind !== 'asking') return { approvalEnded: false, expired: false };
  const { approvalEndsAtMs = Infinity, expiresAtMs } = flow.display.proposal;
  return { approvalEnded: nowMs >= approvalEndsAtMs, expired: nowMs >= expiresAtMs };
}

type Watch = (subscribe: (listener: () => void) => () => void) => () => void;

const isSending = ({ decided }: ReviewProgress): boolean => decided.some(({ state }) => isOpen(state));

function createWatch(page: Page, environment: PageEnvironment, appear: () => void): Watch {
  const { bridge } = environment;
  let drawnArmed = false;

  /** Detects changes that cause no event: an expiry, regained attention, buttons that became armed. */
  function detectChanges(): void {
    const { flow, gesture, ...before } = page.state();
    if (flow.kind !== 'asking') return;
    const now = timesOver(flow, environment.wallMs());
    if (now.approvalEnded !== before.approvalEnded || now.expired !== before.expired) page.set(now);
    if (now.expired && !before.expired) return look(flow.display);
    if (!gesture.attentive && environment.isAttentive()) return appear();
    const armed = isArmed(gesture, environment.monotonicMs());
    if (armed !== drawnArmed) page.set({});
    drawnArmed = armed;
  }

  function beat(): void {
    const { flow } = page.state();
    if (flow.kind === 'asking') look(flow.display);
  }

  function follow(): void {
    const { flow } = page.state();
    if (flow.kind === 'asking' && flow.display.review && isSending(flow.display.review)) look(flow.display);
    if (flow.kind === 'summary' && isSending(flow.after.review)) followSummary(flow.after.from);
    if (flow.kind !== 'deciding' || flow.choice !== 'approve') return;
    // A batch is executed change by change, and its display exists until the last one.
    if (flow.display.proposal.detail.kind === 'batch') look(flow.display);
  }

  function followSummary(from: Display): void {
    const { displayId } = from;
    void bridge.progress(seenOf(from)).then(
      (review) => page.advance({ kind: 'progressed', displayId, review }),
      // The next read may succeed. The decision is in the list too.
      () => {},
    );
  }

  function look(display: Display): void {
    void page.look(display).catch(page.failLook(display.displayId));
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

const seenOf = ({ displayId, nonce }: Seen): Seen => ({ displayId, nonce });

type StepWithoutKey = { to: Exclude<Step['to'], 'undo'> } | { to: 'undo'; proposalId: string };

function createRequests(page: Page, environment: PageEnvironment) {
  const { bridge } = environment;
  let openings = 0;

  /** Fails with `display_unknown` after the decision. */
  function shown(): Seen {
    const { flow } = page.state();
    if (flow.kind !== 'asking' && flow.kind !== 'deciding') throw new AppError('display_unknown');
    return seenOf(flow.display);
  }

  /** Only the latest call counts: the window may be reused before an earlier call is answered. */
  async function open(): Promise<void> {
    const opening = (openings += 1);
    const arrive = (event: FlowEvent): void => {
      if (opening === openings) page.advance(event);
    };
    await bridge.open({}).then(
      (display) => arrive({ kind: 'opened', display }),
      (error: unknown) => arrive({ kind: 'openFailed', error: asAppError(error) }),
    );
  }

  function decide(choice: Choice): void {
    const { flow, typed, reason } = page.state();
    if (flow.kind !== 'asking') return;
    const { displayId, nonce, fingerprint, proposal, review } = flow.display;
    page.advance({ kind: 'chosen', choice });
    const given = {
      reason: choice === 'deny' && reason.trim() !== '' ? reason.trim() : null,
      typed: choice === 'approve' && proposal.typeToConfirm ? typed.trim() : null,
    };
    const continueReview = review === undefined ? {} : { continueReview: true as const };
    void bridge.decide({ displayId, nonce, fingerprint, decision: choice, ...given, ...continueReview }).then(
      (result) => {
        if (result.next !== undefined) page.set({ reason: '' });
        page.advance({ kind: 'decided', displayId, ...result });
      },
      async (error: unknown) =>
        page.advance(await failed(flow.display, { kind: 'decisionFailed', error: asAppError(error) })),
    );
  }

  /** Returns `foundEnded` if the change ended before the press, so that a review can continue from there. */
  async function failed(
    display: Display,
    failure: { kind: 'decisionFailed' | 'stepFailed'; error: AppError },
  ): Promise<FlowEvent> {
    const { displayId } = display;
    const now = hasEnded(failure.error) ? await bridge.look(seenOf(display)).catch(() => null) : null;
    if (now === null || isUndecided(now.proposal.state)) return { ...failure, displayId };
    return { kind: 'foundEnded', displayId, display: now };
  }

  function step(step: StepWithoutKey): void {
    const state = page.state();
    const { flow } = state;
    if (!canStep(state, step.to, environment.monotonicMs())) return;
    const from = flow.kind === 'asking' ? flow.display : 'after' in flow ? flow.after?.from : undefined;
    if (from === undefined) return;
    const { displayId } = from;
    page.set({ stepping: true });
    const arrive = (event: FlowEvent): void => {
      if (event.kind === 'stepped') page.set({ typed: '', reason: '' });
      page.advance(event);
      page.set({ stepping: false });
    };
    void bridge.step({ ...seenOf(from), ...step }).then(
      (stepped) => arrive({ kind: 'stepped', displayId, ...stepped }),
      async (error: unknown) => arrive(await failed(from, { kind: 'stepFailed', error: asAppError(error) })),
    );
  }

  return {
    open,
    decide,
    prepareAgain(): void {
      const { flow } = page.state();
      if (flow.kind !== 'asking') return;
      const { display } = flow;
      const { displayId } = display;
      page.advance({ kind: 'prepareAsked' });
      void bridge.prepareAgain(seenOf(display)).then(
        (again) => page.advance({ kind: 'prepared', displayId, display: again }),
        (error: unknown) => page.advance({ kind: 'prepareFailed', displayId, error: asAppError(error) }),
      );
    },
    undo(): void {
      const { flow } = page.state();
      if (flow.kind !== 'rested' || flow.undo === undefined || flow.undo.isPreparing) return;
      const { display } = flow.undo;
      const { displayId } = display;
      page.advance({ kind: 'undoAsked' });
      page.set({ reason: '' });
      void bridge.undo(seenOf(display)).then(
        (again) => page.advance({ kind: 'undoProposed', displayId, display: again }),
        (error: unknown) => page.advance({ kind: 'undoFailed', displayId, error: asAppError(error) }),
      );
    },
    step,
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
