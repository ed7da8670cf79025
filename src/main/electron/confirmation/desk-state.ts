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
