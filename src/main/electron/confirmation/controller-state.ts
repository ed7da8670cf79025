import { assertNever } from '#shared/lib/assert-never.ts';

/** What the host keeps of a showing. The nonce goes to the confirmation's page alone, in the answer of `open`. */
export interface DeskShowing {
  showingId: string;
  nonce: string;
  proposalId: string;
}

/** Where the showing in front stands. */
export type Stage =
  /** The question is on screen. */
  | 'asking'
  /** A decision was given; the core works on it. Nothing takes its place meanwhile. */
  | 'deciding'
  /** The outcome is on screen until the person closes it. */
  | 'resting'
  /** The core ended the showing; the page says so. Nothing can be decided on it. */
  | 'ended';

export interface Front {
  showing: DeskShowing;
  stage: Stage;
}

/** The showings that the core has sent: one in front at most, the others in the order in which they come. */
export interface Desk {
  front: Front | null;
  queue: readonly DeskShowing[];
  /** The person closed the window while a decision was under way. False in every other stage. */
  away: boolean;
}

/** What happens to the desk. `focused`: the window has the focus at that moment. */
export type DeskEvent =
  /** The core sends a showing. */
  | { kind: 'shown'; showing: DeskShowing; focused: boolean }
  /** The core ended a showing. */
  | { kind: 'hidden'; showingId: string; focused: boolean }
  /** The person pressed Review in the app's window. */
  | { kind: 'reviewed'; proposalId: string }
  /** A decision leaves for the core. */
  | { kind: 'chosen'; showingId: string }
  | { kind: 'decided'; showingId: string; again: DeskShowing | null }
  /** A decision failed; `answerable`: the same question may be answered once more. */
  | { kind: 'failed'; showingId: string; answerable: boolean }
  /** The page says that the person is through with what is in front. */
  | { kind: 'finished' }
  /** The person closed the window. */
  | { kind: 'dismissed' }
  /** The window lost the focus, or an ended showing has stood long enough in a window without it. */
  | { kind: 'unattended' }
  /** The core's process ended: none of its showings lives. */
  | { kind: 'coreGone' };

/** What has to be done about it, in this order. */
export type DeskEffect =
  /** Another showing is in front, or none: the page opens anew. */
  | { kind: 'reopen' }
  /** The window comes up; `focus`: because the person asked for it. */
  | { kind: 'show'; focus: boolean }
  | { kind: 'hide' }
  /** Draws attention without taking the focus. */
  | { kind: 'attract' }
  /** An ended showing stands in a window that nobody uses: look again in a moment. */
  | { kind: 'linger' };

export interface DeskStep {
  desk: Desk;
  effects: DeskEffect[];
}

/** How many showings wait at most. Beyond it nothing is lost: they wait in Proposals. */
export const queueLimit = 50;

export const emptyDesk: Desk = { front: null, queue: [], away: false };

/** The showing in front when it has this id, else null. */
export function frontOf({ front }: Desk, showingId: string): Front | null {
  return front?.showing.showingId === showingId ? front : null;
}

const stay = (desk: Desk, ...effects: DeskEffect[]): DeskStep => ({ desk, effects });

const without = (queue: readonly DeskShowing[], proposalId: string): DeskShowing[] =>
  queue.filter((showing) => showing.proposalId !== proposalId);

const atHead = (showing: DeskShowing, queue: readonly DeskShowing[]): DeskShowing[] =>
  [showing, ...without(queue, showing.proposalId)].slice(0, queueLimit);

/** In its own old place, else at the end. When the queue is full, the latest gives way to the new one. */
function queued(queue: readonly DeskShowing[], showing: DeskShowing): DeskShowing[] {
  const place = queue.findIndex(({ proposalId }) => proposalId === showing.proposalId);
  return place === -1 ? [...queue.slice(0, queueLimit - 1), showing] : queue.with(place, showing);
}

function inFront(desk: Desk, showing: DeskShowing, ...effects: DeskEffect[]): DeskStep {
  const queue = without(desk.queue, showing.proposalId);
  return stay({ front: { showing, stage: 'asking' }, queue, away: false }, { kind: 'reopen' }, ...effects);
}

/** What waits longest comes to the front; when nothing waits, the window goes. */
function next(desk: Desk): DeskStep {
  const [first] = desk.queue;
  if (first === undefined) return stay(emptyDesk, { kind: 'hide' }, { kind: 'reopen' });
  return inFront(desk, first, { kind: 'show', focus: false });
}

function shown(desk: Desk, event: Extract<DeskEvent, { kind: 'shown' }>): DeskStep {
  const { front } = desk;
  const { showing, focused } = event;
  const open = front !== null && (front.stage === 'asking' || front.stage === 'ended');
  // A new showing of the same proposal is the end of the old one.
  if (front === null || (open && front.showing.proposalId === showing.proposalId)) {
    return inFront(desk, showing, { kind: 'show', focus: false }, { kind: 'attract' });
  }
  const waiting = { ...desk, queue: queued(desk.queue, showing) };
  if (front.stage !== 'ended' || focused) return stay(waiting, { kind: 'attract' });
  const step = next(waiting);
  return stay(step.desk, ...step.effects, { kind: 'attract' });
}

function hidden(desk: Desk, event: Extract<DeskEvent, { kind: 'hidden' }>): DeskStep {
  const queue = desk.queue.filter(({ showingId }) => showingId !== event.showingId);
  const front = frontOf(desk, event.showingId);
  // A decision ends its own showing: the answer is on its way.
  if (front?.stage !== 'asking') return stay({ ...desk, queue });
  const ended: Desk = { ...desk, front: { ...front, stage: 'ended' }, queue };
  return event.focused ? stay(ended) : stay(ended, { kind: 'linger' });
}

function reviewed(desk: Desk, proposalId: string): DeskStep {
  const { front } = desk;
  const show: DeskEffect = { kind: 'show', focus: true };
  // A fresh showing may wait behind the failed one of the same proposal, so the queue is asked first.
  const asked = desk.queue.find((showing) => showing.proposalId === proposalId);
  if (asked === undefined) {
    return front?.showing.proposalId === proposalId ? stay({ ...desk, away: false }, show) : stay(desk);
  }
  if (front?.stage === 'deciding') {
    return stay({ ...desk, queue: atHead(asked, desk.queue), away: false }, show);
  }
  const queue = without(desk.queue, proposalId);
  const putBack = front?.stage === 'asking' ? atHead(front.showing, queue) : queue;
  return inFront({ ...desk, queue: putBack }, asked, show);
}

function chosen(desk: Desk, showingId: string): DeskStep {
  const front = frontOf(desk, showingId);
  return stay(front?.stage === 'asking' ? { ...desk, front: { ...front, stage: 'deciding' } } : desk);
}

function decided(desk: Desk, event: Extract<DeskEvent, { kind: 'decided' }>): DeskStep {
  const front = frontOf(desk, event.showingId);
  if (front?.stage !== 'deciding') return stay(desk);
  if (event.again !== null) {
    // The page goes on with it by itself: it came in the answer to its decision.
    const queue = without(desk.queue, event.again.proposalId);
    const again: Desk = { front: { showing: event.again, stage: 'asking' }, queue, away: false };
    return desk.away ? stay(again, { kind: 'show', focus: false }, { kind: 'attract' }) : stay(again);
  }
  return desk.away ? next(desk) : stay({ ...desk, front: { ...front, stage: 'resting' } });
}

function failed(desk: Desk, event: Extract<DeskEvent, { kind: 'failed' }>): DeskStep {
  const front = frontOf(desk, event.showingId);
  if (front?.stage !== 'deciding') return stay(desk);
  if (desk.away) return next(desk);
  // Shown anew while it was being decided: that was the end of the old showing.
  const fresh = desk.queue.find(({ proposalId }) => proposalId === front.showing.proposalId);
  if (event.answerable && fresh !== undefined) return inFront(desk, fresh);
  return stay({ ...desk, front: { ...front, stage: event.answerable ? 'asking' : 'resting' } });
}

function dismissed(desk: Desk): DeskStep {
  switch (desk.front?.stage) {
    case 'deciding':
      return stay({ ...desk, queue: [], away: true }, { kind: 'hide' });
    case 'resting':
    case 'ended':
      return next(desk);
    case 'asking':
      return next(emptyDesk);
    case undefined:
      return stay(emptyDesk, { kind: 'hide' });
  }
}

function coreGone(desk: Desk): DeskStep {
  const { front } = desk;
  const queue: DeskShowing[] = [];
  // What is being decided hears of it by its own answer.
  return stay({ ...desk, queue, front: front?.stage === 'asking' ? { ...front, stage: 'ended' } : front });
}

/**
 * The next state of the desk, and what has to be done. An event that has no meaning where the desk stands changes nothing.
 * One showing is in front at most; a decision under way keeps its place; what comes to the front opens and arms anew.
 */
export function stepDesk(desk: Desk, event: DeskEvent): DeskStep {
  switch (event.kind) {
    case 'shown':
      return shown(desk, event);
    case 'hidden':
      return hidden(desk, event);
    case 'reviewed':
      return reviewed(desk, event.proposalId);
    case 'chosen':
      return chosen(desk, event.showingId);
    case 'decided':
      return decided(desk, event);
    case 'failed':
      return failed(desk, event);
    case 'finished':
      return desk.front === null || desk.front.stage === 'deciding' ? stay(desk) : next(desk);
    case 'dismissed':
      return dismissed(desk);
    case 'unattended':
      return desk.front?.stage === 'ended' ? next(desk) : stay(desk);
    case 'coreGone':
      return coreGone(desk);
    default:
      return assertNever(event);
  }
}
