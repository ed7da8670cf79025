import { assertNever } from '#shared/lib/assert-never.ts';

/** The host's record of a display of a confirmation. The nonce is sent only to the confirmation's page, in the answer of `open`. */
export interface DisplayRef {
  displayId: string;
  nonce: string;
  proposalId: string;
}

export type Stage = 'asking' | 'deciding' | 'settled' | 'ended';

export interface ActiveDisplay {
  display: DisplayRef;
  stage: Stage;
  /** The core ended the display while the decision was in progress. */
  endedByCore?: true;
}

export interface ConfirmationState {
  active: ActiveDisplay | null;
  queue: readonly DisplayRef[];
  isDismissed: boolean;
}

export type ConfirmationEvent =
  | { kind: 'shown'; display: DisplayRef; focused: boolean }
  | { kind: 'hidden'; displayId: string; focused: boolean }
  | { kind: 'reviewed'; proposalId: string }
  | { kind: 'chosen'; displayId: string }
  | { kind: 'decided'; displayId: string; again: DisplayRef | null }
  /** A decision failed. With `asking`, the person may answer the same question again. */
  | { kind: 'failed'; displayId: string; to: Exclude<Stage, 'deciding'> }
  | { kind: 'stepped'; displayId: string; to: DisplayRef }
  | { kind: 'finished' }
  | { kind: 'dismissed' }
  | { kind: 'unattended' }
  | { kind: 'coreGone' };

export type ConfirmationEffect =
  | { kind: 'reopen' }
  | { kind: 'show'; focus: boolean }
  | { kind: 'hide' }
  | { kind: 'attract' }
  /** Leaves the ended display after a while, if the window still has no focus. */
  | { kind: 'linger' };

export interface ConfirmationStep {
  state: ConfirmationState;
  effects: ConfirmationEffect[];
}

/** Maximum number of waiting displays. Further proposals are not lost: they wait on the Proposals page. */
export const queueLimit = 50;

export const emptyConfirmation: ConfirmationState = { active: null, queue: [], isDismissed: false };

export function activeOf({ active }: ConfirmationState, displayId: string): ActiveDisplay | null {
  return active?.display.displayId === displayId ? active : null;
}

const stepTo = (state: ConfirmationState, ...effects: ConfirmationEffect[]): ConfirmationStep => ({
  state,
  effects,
});

const without = (queue: readonly DisplayRef[], proposalId: string): DisplayRef[] =>
  queue.filter((display) => display.proposalId !== proposalId);

const atHead = (display: DisplayRef, queue: readonly DisplayRef[]): DisplayRef[] =>
  [display, ...without(queue, display.proposalId)].slice(0, queueLimit);

function queued(queue: readonly DisplayRef[], display: DisplayRef): DisplayRef[] {
  const place = queue.findIndex(({ proposalId }) => proposalId === display.proposalId);
  return place === -1 ? [...queue.slice(0, queueLimit - 1), display] : queue.with(place, display);
}

function withActive(
  state: ConfirmationState,
  display: DisplayRef,
  ...effects: ConfirmationEffect[]
): ConfirmationStep {
  const queue = without(state.queue, display.proposalId);
  return stepTo(
    { active: { display, stage: 'asking' }, queue, isDismissed: false },
    { kind: 'reopen' },
    ...effects,
  );
}

function next(state: ConfirmationState): ConfirmationStep {
  const [first] = state.queue;
  if (first === undefined) return stepTo(emptyConfirmation, { kind: 'hide' }, { kind: 'reopen' });
  return withActive(state, first, { kind: 'show', focus: false });
}

function shown(
  state: ConfirmationState,
  event: Extract<ConfirmationEvent, { kind: 'shown' }>,
): ConfirmationStep {
  const { active } = state;
  const { display, focused } = event;
  const open = active !== null && (active.stage === 'asking' || active.stage === 'ended');
  // A new display of the same proposal means that the old display has ended.
  if (active === null || (open && active.display.proposalId === display.proposalId)) {
    return withActive(state, display, { kind: 'show', focus: false }, { kind: 'attract' });
  }
  const waiting = { ...state, queue: queued(state.queue, display) };
  if (active.stage !== 'ended' || focused) return stepTo(waiting, { kind: 'attract' });
  const step = next(waiting);
  return stepTo(step.state, ...step.effects, { kind: 'attract' });
}

function hidden(
  state: ConfirmationState,
  event: Extract<ConfirmationEvent, { kind: 'hidden' }>,
): ConfirmationStep {
  const queue = state.queue.filter(({ displayId }) => displayId !== event.displayId);
  const active = activeOf(state, event.displayId);
  const over = { ...state, queue, active: active === null ? state.active : afterEnd(active) };
  return active?.stage === 'asking' && !event.focused ? stepTo(over, { kind: 'linger' }) : stepTo(over);
}

function afterEnd(active: ActiveDisplay): ActiveDisplay {
  if (active.stage === 'asking') return { ...active, stage: 'ended' };
  return active.stage === 'deciding' ? { ...active, endedByCore: true } : active;
}

function reviewed(state: ConfirmationState, proposalId: string): ConfirmationStep {
  const { active } = state;
  const show: ConfirmationEffect = { kind: 'show', focus: true };
  // A new display may wait behind the failed display of the same proposal, so the queue is searched first.
  const asked = state.queue.find((display) => display.proposalId === proposalId);
  if (asked === undefined) {
    return active?.display.proposalId === proposalId
      ? stepTo({ ...state, isDismissed: false }, show)
      : stepTo(state);
  }
  if (active?.stage === 'deciding') {
    return stepTo({ ...state, queue: atHead(asked, state.queue), isDismissed: false }, show);
  }
  const queue = without(state.queue, proposalId);
  const putBack = active?.stage === 'asking' ? atHead(active.display, queue) : queue;
  return withActive({ ...state, queue: putBack }, asked, show);
}

function chosen(state: ConfirmationState, displayId: string): ConfirmationStep {
  const active = activeOf(state, displayId);
  return stepTo(active?.stage === 'asking' ? { ...state, active: { ...active, stage: 'deciding' } } : state);
}

function decided(
  state: ConfirmationState,
  event: Extract<ConfirmationEvent, { kind: 'decided' }>,
): ConfirmationStep {
  const active = activeOf(state, event.displayId);
  if (active?.stage !== 'deciding') return stepTo(state);
  if (event.again !== null) {
    const queue = without(state.queue, event.again.proposalId);
    const again: ConfirmationState = {
      active: { display: event.again, stage: 'asking' },
      queue,
      isDismissed: false,
    };
    return state.isDismissed
      ? stepTo(again, { kind: 'show', focus: false }, { kind: 'attract' })
      : stepTo(again);
  }
  return state.isDismissed
    ? next(state)
    : stepTo({ ...state, active: { display: active.display, stage: 'settled' } });
}

function stepped(
  state: ConfirmationState,
  { displayId, to }: Extract<ConfirmationEvent, { kind: 'stepped' }>,
): ConfirmationStep {
  const stage = activeOf(state, displayId)?.stage;
  if (stage !== 'settled' && stage !== 'ended') return stepTo(state);
  return stepTo({
    active: { display: to, stage: 'asking' },
    queue: without(state.queue, to.proposalId),
    isDismissed: false,
  });
}

function failed(
  state: ConfirmationState,
  event: Extract<ConfirmationEvent, { kind: 'failed' }>,
): ConfirmationStep {
  const active = activeOf(state, event.displayId);
  if (active?.stage !== 'deciding') return stepTo(state);
  if (state.isDismissed) return next(state);
  const fresh = state.queue.find(({ proposalId }) => proposalId === active.display.proposalId);
  if (event.to === 'asking' && fresh !== undefined) return withActive(state, fresh);
  const stage = event.to === 'asking' && active.endedByCore ? 'ended' : event.to;
  return stepTo({ ...state, active: { display: active.display, stage } });
}

function dismissed(state: ConfirmationState): ConfirmationStep {
  switch (state.active?.stage) {
    case 'deciding':
      return stepTo({ ...state, queue: [], isDismissed: true }, { kind: 'hide' });
    case 'settled':
    case 'ended':
      return next(state);
    case 'asking':
      return next(emptyConfirmation);
    case undefined:
      return stepTo(emptyConfirmation, { kind: 'hide' });
  }
}

function coreGone(state: ConfirmationState): ConfirmationStep {
  return stepTo({ ...state, queue: [], active: state.active === null ? null : afterEnd(state.active) });
}

/** At most one display is current. A decision in progress is not interrupted. The caller restarts the arming delay. */
export function stepConfirmation(state: ConfirmationState, event: ConfirmationEvent): ConfirmationStep {
  switch (event.kind) {
    case 'shown':
      return shown(state, event);
    case 'hidden':
      return hidden(state, event);
    case 'reviewed':
      return reviewed(state, event.proposalId);
    case 'chosen':
      return chosen(state, event.displayId);
    case 'decided':
      return decided(state, event);
    case 'stepped':
      return stepped(state, event);
    case 'failed':
      return failed(state, event);
    case 'finished':
      return state.active === null || state.active.stage === 'deciding' ? stepTo(state) : next(state);
    case 'dismissed':
      return dismissed(state);
    case 'unattended':
      return state.active?.stage === 'ended' ? next(state) : stepTo(state);
    case 'coreGone':
      return coreGone(state);
    default:
      return assertNever(event);
  }
}
