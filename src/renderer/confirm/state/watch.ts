import type { Showing } from '#shared/host-api/index.ts';
import { isArmed } from './gesture.ts';
import type { PageEnvironment, Page } from './confirmation-state.ts';
import type { Flow } from './flow.ts';

/** Interval at which the page checks that its showing still lives, in milliseconds. */
const heartbeatMs = 2000;

/** Interval at which it reads a batch's progress, in milliseconds. */
const followingMs = 500;

/** Interval at which it reads the clock and its own state, in milliseconds. */
const lookMs = 250;

/** True for a question whose approval by the service has ended. */
export function hasApprovalEnded(flow: Flow, nowMs: number): boolean {
  if (flow.kind !== 'asking') return false;
  const { approvalEndsAtMs } = flow.showing.proposal;
  return approvalEndsAtMs !== undefined && nowMs >= approvalEndsAtMs;
}

/** Begins to watch; the returned function ends it. */
export type Watch = (subscribe: (listener: () => void) => () => void) => () => void;

/** Makes the watch over the showing and the clock. While the window shows no question and no execution, it sleeps. */
export function createWatch(page: Page, surroundings: PageEnvironment, appear: () => void): Watch {
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
