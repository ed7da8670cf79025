import type { Clock } from '#core/platform/clock.ts';
import type { CallOutcome, MemberClient } from '#core/service-client/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';

/** After so long without a call the service is asked again, in milliseconds. */
const staleAfterMs = 10_000;

/** Whether the service answers, from the calls that are made anyway. */
export interface ServiceState {
  /** For the client: what came of a call. */
  observe(outcome: CallOutcome): void;
  /** The state now; asks for one row where the last call is too old to tell. Never fails. */
  look(client: Pick<MemberClient, 'list'>): Promise<StatusView['service']>;
  /** The next look asks, however new the last call seems. */
  doubt(): void;
}

/** `onChange` is called when the service begins or ceases to answer. */
export function createServiceState(clock: Clock, onChange: () => void): ServiceState {
  let last: StatusView['service'] = {
    state: 'unknown',
    latencyMs: null,
    checkedAtMs: null,
    retryAtMs: null,
  };
  /** By the monotonic clock: one that is set back would let an old answer look new. */
  let observedAtMs: number | null = null;
  let asking: Promise<void> | null = null;

  async function ask(client: Pick<MemberClient, 'list'>): Promise<void> {
    try {
      await client.list({ page: 1, perPage: 1 });
    } catch {
      // Refused or unanswered: the call itself has told.
    }
  }

  return {
    observe({ ready, latencyMs }) {
      const state = ready ? 'ready' : 'unreachable';
      const changed = last.state !== state;
      observedAtMs = clock.monotonicMs();
      last = {
        state,
        latencyMs: ready ? latencyMs : null,
        checkedAtMs: clock.nowMs(),
        retryAtMs: null,
      };
      if (changed) onChange();
    },
    async look(client) {
      if (observedAtMs === null || clock.monotonicMs() - observedAtMs > staleAfterMs) {
        asking ??= ask(client).finally(() => (asking = null));
        await asking;
      }
      return last;
    },
    doubt() {
      observedAtMs = null;
    },
  };
}
