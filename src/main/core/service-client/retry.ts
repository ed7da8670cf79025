import type { Clock } from '#core/platform/clock.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { untilAborted } from '#system/http/public-address.ts';

const maxTries = 4;
/** Maximum single wait of a read, in milliseconds. If the service requests a longer one, the read fails. */
const maxWaitMs = 30_000;
/** A write waits longer: a person has approved it, and would have to approve it again after a refusal. */
const maxWriteWaitMs = 60_000;
const maxTotalWaitMs = 60_000;
const firstBackoffMs = 500;

/** Temporary refusals: the service requests a pause (429), or a dependency is unavailable (503). */
const temporaryCodes: readonly ErrorCode[] = ['rate_limited', 'service_unavailable'];

const sharedFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'service_unreachable',
  'certificate_untrusted',
  'proxy_refused',
  'proxy_sign_in_needed',
  'service_unavailable',
  'service_failed',
  'rate_limited',
  'unauthenticated',
  'credential_missing',
]);

/** True if the service is unavailable, or rejects this profile, so that all reads would fail. */
export function affectsAllReads({ code }: AppError): boolean {
  return sharedFaults.has(code);
}

export interface RetryTimers {
  clock: Clock;
  random(): number;
  /** Called before each wait, so that pages can show it. The returned function is called after the wait, however it ended. */
  onWait?(wait: { retryAtMs: number }): () => void;
  /** Aborted when the client is closed. Waiting requests then fail with their last failure. */
  ended?: AbortSignal;
}

export interface RetryOptions {
  pauses?: RetryTimers | undefined;
  /** Ends a wait. The read fails with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * The retry policy (contract §7), for reads only. After `rate_limited` and `service_unavailable` (429 and 503), waits for at
 * least `data.retryAfterSeconds`, plus an exponential backoff with full jitter. A broken connection is retried once and at once,
 * over a new connection: a server that restarts closes all idle connections. Makes at most four attempts and waits for at most a
 * minute in total. If the service requests a pause of more than half a minute, fails at once; the failure contains the seconds.
 * Retries no other failure, including a timeout (`service_unreachable` caused by a `TimeoutError`).
 *
 * Writes do not use this function: see {@link pauseBeforeWriteMs}.
 */
export async function withRetry<T>(
  attempt: (how: { ownConnection: boolean }) => Promise<T>,
  { pauses, signal }: RetryOptions = {},
): Promise<T> {
  let reconnected = false;
  let waitedMs = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt({ ownConnection: reconnected });
    } catch (failure) {
      if (tries === maxTries) throw failure;
      if (isBrokenConnection(failure) && !reconnected) {
        reconnected = true;
        continue;
      }
      const waitMs = pauses === undefined ? null : waitAfter(failure, tries, pauses.random());
      if (pauses === undefined || waitMs === null || waitedMs + waitMs > maxTotalWaitMs) throw failure;
      waitedMs += waitMs;
      if (!(await pause(waitMs, pauses, signal))) throw failure;
    }
  }
}

/**
 * Milliseconds before a write may be sent again, or null. Only a 429 (contract §7.3) proves that nothing was stored. The
 * caller waits, then repeats its send checks.
 */
export function pauseBeforeWriteMs(
  failure: AppError,
  { tries, random }: { tries: number; random: number },
): number | null {
  if (failure.code !== 'rate_limited' || tries >= maxTries) return null;
  return pauseMs(failure, { tries, random, maxMs: maxWriteWaitMs });
}

function waitAfter(failure: unknown, tries: number, random: number): number | null {
  if (!(failure instanceof AppError) || !temporaryCodes.includes(failure.code)) return null;
  return pauseMs(failure, { tries, random, maxMs: maxWaitMs });
}

function pauseMs(
  failure: AppError,
  { tries, random, maxMs }: { tries: number; random: number; maxMs: number },
): number | null {
  const asked = failure.data['retryAfterSeconds'];
  const askedMs = typeof asked === 'number' ? asked * 1000 : 0;
  if (askedMs > maxMs) return null;
  // Added to the requested pause, so that clients that were refused together do not return together.
  return askedMs + random * firstBackoffMs * 2 ** (tries - 1);
}

/** True if the connection failed. False for a timeout: waiting as long again would not help. */
export function isBrokenConnection(failure: unknown): boolean {
  return failure instanceof AppError && failure.code === 'service_unreachable' && !isTimeout(failure);
}

/** True if the service did not answer in time. */
export function isTimeout(failure: unknown): boolean {
  return (
    failure instanceof AppError &&
    failure.code === 'service_unreachable' &&
    failure.cause instanceof Error &&
    failure.cause.name === 'TimeoutError'
  );
}

async function pause(
  waitMs: number,
  { clock, onWait, ended }: RetryTimers,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  signal?.throwIfAborted();
  if (ended?.aborted === true) return false;
  const over = onWait?.({ retryAtMs: Math.ceil(clock.nowMs() + waitMs) });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const end = (): void => resolve(false);
  ended?.addEventListener('abort', end, { once: true });
  const cancel = clock.after(waitMs, () => resolve(true));
  try {
    return await (signal === undefined ? promise : untilAborted(promise, signal));
  } finally {
    cancel();
    ended?.removeEventListener('abort', end);
    over?.();
  }
}
