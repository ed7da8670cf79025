import type { Clock } from '#core/platform/clock.ts';
import type { CallOutcome, MemberClient } from '#core/service-client/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';

/** After so long without a call the service is asked again, in milliseconds. */
const staleAfterMs = 10_000;

/** A service that does not take the member's token is asked less often: only another token helps. */
const refusedStaleAfterMs = 60_000;

/** However long a pause the service asks for, it is asked again after this one, in milliseconds. */
const longestPauseMs = 10 * 60_000;

/** A look waits no longer for an answer, in milliseconds: what comes later is told by `onChange`. */
const patienceMs = 1_000;

type ServiceView = StatusView['service'];

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
  /** The next look asks, however new the last call seems. */
  doubt(): void;
}

export function createServiceState({ clock, onChange, onReturn }: ServiceStateOptions): ServiceState {
  let seen: Pick<ServiceView, 'latencyMs' | 'checkedAtMs'> & { ready: boolean | null; signedIn: boolean } = {
    ready: null,
    signedIn: true,
    latencyMs: null,
    checkedAtMs: null,
  };
  let answeredAtMs: number | null = null;
  /** By the monotonic clock: one that is set back would let an old answer look new. */
  let observedAtMs: number | null = null;
  let pause: { untilMs: number; retryAtMs: number } | null = null;
  const waiting = new Set<{ retryAtMs: number }>();
  let asking: Promise<void> | null = null;

  function state(): ServiceView['state'] {
    if (seen.ready === null) return 'unknown';
    if (!seen.ready) return 'unreachable';
    return seen.signedIn ? 'ready' : 'signed-out';
  }

  const isPaused = (): boolean => pause !== null && clock.monotonicMs() < pause.untilMs;

  function retryAtMs(): number | null {
    const moments = [...waiting].map((wait) => wait.retryAtMs);
    if (pause !== null && isPaused()) moments.push(pause.retryAtMs);
    return moments.length === 0 ? null : Math.min(...moments);
  }

  /** Makes a change and tells of it where it can be seen. */
  function change(make: () => void): void {
    const before = { state: state(), retryAtMs: retryAtMs() };
    make();
    const after = state();
    if (after !== before.state || retryAtMs() !== before.retryAtMs) onChange();
    if (after === 'ready' && (before.state === 'unreachable' || before.state === 'signed-out')) onReturn();
  }

  function isStale(): boolean {
    if (observedAtMs === null) return true;
    const limitMs = state() === 'signed-out' ? refusedStaleAfterMs : staleAfterMs;
    return clock.monotonicMs() - observedAtMs > limitMs;
  }

  async function ask(client: Pick<MemberClient, 'list'>): Promise<void> {
    try {
      await client.list({ page: 1, perPage: 1 });
    } catch {
      // Refused or unanswered: the call itself has told.
    }
  }

  return {
    observe({ ready, latencyMs, signedIn, retryAfterSeconds }) {
      change(() => {
        observedAtMs = clock.monotonicMs();
        const checkedAtMs = clock.nowMs();
        if (ready) answeredAtMs = checkedAtMs;
        seen = {
          ready,
          signedIn: signedIn ?? seen.signedIn,
          latencyMs: ready ? latencyMs : null,
          checkedAtMs,
        };
        const pauseMs = Math.min((retryAfterSeconds ?? 0) * 1000, longestPauseMs);
        pause = pauseMs === 0 ? null : { untilMs: observedAtMs + pauseMs, retryAtMs: checkedAtMs + pauseMs };
      });
    },
    waits({ retryAtMs: untilMs }) {
      const wait = { retryAtMs: untilMs };
      change(() => waiting.add(wait));
      return () => change(() => waiting.delete(wait));
    },
    async look(client) {
      if (isStale() && !isPaused()) {
        asking ??= ask(client).finally(() => (asking = null));
        await within(asking, clock);
      }
      const { latencyMs, checkedAtMs } = seen;
      return { state: state(), latencyMs, checkedAtMs, retryAtMs: retryAtMs() };
    },
    answeredAtMs: () => answeredAtMs,
    doubt() {
      observedAtMs = null;
      pause = null;
    },
  };
}

/** Resolves with the work, or when a look has waited long enough. */
async function within(work: Promise<void>, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(patienceMs, resolve);
  await Promise.race([work, promise]);
  cancel();
}
