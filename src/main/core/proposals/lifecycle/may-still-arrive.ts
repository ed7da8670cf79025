import type { Clock } from '#core/platform/clock.ts';
import type { StoredProposal } from '#core/store/app/index.ts';

/** Knows for how long a write whose answer never came may still arrive at the service. */
export interface InFlightWindow {
  /** The write leaves now. */
  sent(id: string): void;
  /**
   * For a read that begins now: true while the write may arrive after it, which is until twice the request timeout has
   * passed since it left.
   */
  mayArriveAfterNow(proposal: Pick<StoredProposal, 'id' | 'intentAtMs'>): boolean;
  forget(id: string): void;
}

export interface InFlightWindowOptions {
  clock: Clock;
  /** Time that the service may take to act on a request after it was sent. */
  requestTimeoutMs: number;
}

/** Time when a write was sent or first looked for, by the monotonic clock: setting the time of day ends no wait. */
interface Sending {
  atMs: number;
  /** This process sent it. */
  isOurs: boolean;
}

export function createInFlightWindow({ clock, requestTimeoutMs }: InFlightWindowOptions): InFlightWindow {
  const sendings = new Map<string, Sending>();
  const windowMs = 2 * requestTimeoutMs;

  function note(id: string, isOurs: boolean): Sending {
    const sending = { atMs: clock.monotonicMs(), isOurs };
    sendings.set(id, sending);
    return sending;
  }

  return {
    sent: (id) => void note(id, true),
    mayArriveAfterNow({ id, intentAtMs }) {
      const { atMs, isOurs } = sendings.get(id) ?? note(id, false);
      if (clock.monotonicMs() - atMs >= windowMs) return false;
      // Of what an earlier process sent only the time of day is known; where it was set back, our own wait ends it.
      return isOurs || intentAtMs === null || clock.nowMs() - intentAtMs < windowMs;
    },
    forget: (id) => void sendings.delete(id),
  };
}
