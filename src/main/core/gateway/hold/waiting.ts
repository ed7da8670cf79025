import type { CallContext } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Standing } from '#core/proposals/index.ts';

/** How long a call waits for a person, in milliseconds: its client may give up on one that says nothing for a minute. */
const waitsMs = { silent: 45_000, withProgress: 240_000 } as const;

const progressEveryMs = 10_000;

export interface Wait {
  context: CallContext;
  clock: Clock;
  limitMs: number;
  /** Resolves when the proposal rests, or with the proposal as it stands when the signal fires. */
  rest(signal: AbortSignal): Promise<Standing>;
}

/** So long a call of this client may wait. */
export function limitOf({ wantsProgress }: CallContext): number {
  return wantsProgress ? waitsMs.withProgress : waitsMs.silent;
}

/** Waits for a person until the limit, and tells how long it has waited where the client wants to know. */
export async function waitForPerson({ context, clock, limitMs, rest }: Wait): Promise<Standing> {
  const limit = new AbortController();
  const cancelLimit = clock.after(limitMs, () => limit.abort());
  const endProgress = tellProgress(context, clock);
  try {
    return await rest(AbortSignal.any([context.signal, limit.signal]));
  } finally {
    cancelLimit();
    endProgress();
  }
}

function tellProgress(context: CallContext, clock: Clock): () => void {
  if (!context.wantsProgress) return () => {};
  const startedAtMs = clock.monotonicMs();
  let cancel = clock.after(progressEveryMs, tell);
  function tell(): void {
    const seconds = Math.round((clock.monotonicMs() - startedAtMs) / 1000);
    void context.progress(seconds, undefined, `Waiting for a person. ${seconds} s`);
    cancel = clock.after(progressEveryMs, tell);
  }
  return () => cancel();
}
