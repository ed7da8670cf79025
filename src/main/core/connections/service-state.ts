import type { Clock } from '#core/platform/clock.ts';
import type { CallOutcome, MemberClient } from '#core/service-client/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';

/** After so long without a call the service is asked again, in milliseconds. */
const staleAfterMs = 10_000;

/** One that is away is asked sooner, so that coming back is noticed. */
const awayStaleAfterMs = 4_000;

/** A service that does not take the member's token is asked less often: only another token helps. */
const refusedStaleAfterMs = 60_000;

/** A look waits no longer for an answer, in milliseconds: what comes later is told by `onChange`. */
const patienceMs = 1_000;

type ServiceView = StatusView['service'];

const limitsMs: Partial<Record<ServiceView['state'], number>> = {
  unreachable: awayStaleAfterMs,
  'signed-out': refusedStaleAfterMs,
};

export interface ServiceStateOptions {
  clock: Clock;
  /** The state or the moment of the next try is another one. */
  onChange(): void;
  /** The service was away, or took no token, and answers again. */
  onReturn(): void;
}

/** Whether the service answers, from the calls that are made anyway. */
export interface ServiceState {
  /** For the client: what came of a call. */
  observe(outcome: CallOutcome): void;
  /** For the client: a read waits until then. Returns the end of the wait. */
  waits(wait: { retryAtMs: number }): () => void;
  /** The state now; asks for one row where the last call is too old to tell. Never fails. */
  look(client: Pick<MemberClient, 'list'>): Promise<ServiceView>;
  /** When it last answered; null where it never did. */
  answeredAtMs(): number | null;
  /** The last call got no answer. */
  isAway(): boolean;
  /** The next look asks, however new the last call seems. */
  doubt(): void;
}

/** What was seen last; `ready` is null before the first call. */
interface Seen {
  ready: boolean | null;
  signedIn: boolean;
  latencyMs: number | null;
  checkedAtMs: number | null;
}

export function createServiceState({ clock, onChange, onReturn }: ServiceStateOptions): ServiceState {
  const nextTry = createNextTry(clock);
  let seen: Seen = { ready: null, signedIn: true, latencyMs: null, checkedAtMs: null };
  let answeredAtMs: number | null = null;
  /** By the monotonic clock: one that is set back would let an old answer look new. */
  let observedAtMs: number | null = null;
  let asking: Promise<void> | null = null;

  /** Makes a change and tells of it where it can be seen. */
  function change(make: () => void): void {
    const before = { state: stateOf(seen), retryAtMs: nextTry.atMs() };
    make();
    const state = stateOf(seen);
    if (state !== before.state || nextTry.atMs() !== before.retryAtMs) onChange();
    if (state === 'ready' && (before.state === 'unreachable' || before.state === 'signed-out')) onReturn();
  }

  function isStale(): boolean {
    if (observedAtMs === null) return true;
    return clock.monotonicMs() - observedAtMs > (limitsMs[stateOf(seen)] ?? staleAfterMs);
  }

  return {
    observe({ ready, latencyMs, signedIn = seen.signedIn, retryAfterSeconds = 0 }) {
      change(() => {
        observedAtMs = clock.monotonicMs();
        const checkedAtMs = clock.nowMs();
        if (ready) answeredAtMs = checkedAtMs;
        seen = { ready, signedIn, latencyMs: ready ? latencyMs : null, checkedAtMs };
        nextTry.pauseFor(retryAfterSeconds);
      });
    },
    waits(wait) {
      let over: () => void = () => undefined;
      change(() => (over = nextTry.waits(wait)));
      return () => change(over);
    },
    async look(client) {
      if (isStale() && !nextTry.isPaused()) {
        asking ??= ask(client).finally(() => (asking = null));
        await within(asking, clock);
      }
      const { latencyMs, checkedAtMs } = seen;
      return { state: stateOf(seen), latencyMs, checkedAtMs, retryAtMs: nextTry.atMs() };
    },
    answeredAtMs: () => answeredAtMs,
    isAway: () => stateOf(seen) === 'unreachable',
    doubt() {
      observedAtMs = null;
      nextTry.pauseFor(0);
    },
  };
}

function stateOf({ ready, signedIn }: Seen): ServiceView['state'] {
  if (ready === null) return 'unknown';
  if (!ready) return 'unreachable';
  return signedIn ? 'ready' : 'signed-out';
}

async function ask(client: Pick<MemberClient, 'list'>): Promise<void> {
  try {
    await client.list({ page: 1, perPage: 1 });
  } catch {
    // Refused or unanswered: the call itself has told.
  }
}

/** Resolves with the work, or when a look has waited long enough. */
async function within(work: Promise<void>, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(patienceMs, resolve);
  await Promise.race([work, promise]);
  cancel();
}

/** However long a pause the service asks for, it is asked again after this one, in milliseconds. */
const longestPauseMs = 10 * 60_000;

/** When a service is asked again: after the pause that it wants, and by the reads that wait. */
export interface NextTry {
  /** The service wants a pause of so many seconds from now; 0 where it wants none. */
  pauseFor(seconds: number): void;
  isPaused(): boolean;
  /** A read waits until then. Returns the end of the wait. */
  waits(wait: { retryAtMs: number }): () => void;
  /** The earliest of all; null where nothing waits. */
  atMs(): number | null;
}

function createNextTry(clock: Clock): NextTry {
  /** Its end, by the monotonic clock for us and by the time of day for people. */
  let pause: { untilMs: number; retryAtMs: number } | null = null;
  const waiting = new Set<{ retryAtMs: number }>();

  const isPaused = (): boolean => pause !== null && clock.monotonicMs() < pause.untilMs;

  return {
    pauseFor(seconds) {
      const pauseMs = Math.min(seconds * 1000, longestPauseMs);
      const retryAtMs = clock.nowMs() + pauseMs;
      pause = pauseMs === 0 ? null : { untilMs: clock.monotonicMs() + pauseMs, retryAtMs };
    },
    isPaused,
    waits({ retryAtMs }) {
      const wait = { retryAtMs };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    atMs() {
      const moments = [...waiting].map(({ retryAtMs }) => retryAtMs);
      if (pause !== null && isPaused()) moments.push(pause.retryAtMs);
      return moments.length === 0 ? null : Math.min(...moments);
    },
  };
}
