import type { Clock } from '#core/platform/clock.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { untilAborted } from '#system/http/public-address.ts';

const maxTries = 4;
/** The longest single wait of a read that the service may ask for, in milliseconds. */
const longestWaitMs = 30_000;
/** A write waits longer: a person has decided it, and its refusal would have to be decided again. */
const longestWriteWaitMs = 60_000;
const longestWaitingMs = 60_000;
/** Up to so long before the second try, and up to twice as long before each further one, in milliseconds. */
const firstBackoffMs = 500;

/** The service asks for a pause (429), or a part that it needs is away (503). */
const passing: readonly ErrorCode[] = ['rate_limited', 'service_unavailable'];

const awayCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
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

/** True for a read that the service did not answer, or not to this profile: another one will fail as well. Any other answer counts. */
export function isAway({ code }: AppError): boolean {
  return awayCodes.has(code);
}

export interface Pauses {
  clock: Clock;
  random(): number;
  /** Told before each wait, so that a person sees it. What it returns is called when the wait is over, whatever ended it. */
  onWait?(wait: { retryAtMs: number }): () => void;
  /** The client is no longer needed: waiting requests fail as their last try did. */
  ended?: AbortSignal;
}

export interface RetryOptions {
  pauses?: Pauses | undefined;
  /** Ends a wait: the read then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * The one retry policy (contract §7), for reads only. What passes by itself is tried again after a wait: `rate_limited` and
 * `service_unavailable` (429 and 503), at least as long as `data.retryAfterSeconds` says, by exponential backoff with full
 * jitter. A connection that broke is tried again at once, and once, over a connection of its own: a server that restarted closed
 * every idle one. At most four tries and a minute of waiting in all. A longer pause than half a minute is not waited for: the failure carries its seconds.
 * No other failure is tried again, a timeout (`service_unreachable` caused by a `TimeoutError`) included.
 *
 * A write is never sent through here: see {@link pauseBeforeWriteMs}.
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
      if (pauses === undefined || waitMs === null || waitedMs + waitMs > longestWaitingMs) throw failure;
      waitedMs += waitMs;
      if (!(await pause(waitMs, pauses, signal))) throw failure;
    }
  }
}

/**
 * Milliseconds before a write may be sent again, or null. Only after 429 (contract §7.3) it is certain that nothing was
 * stored. The gate waits, and compares again before it sends.
 */
export function pauseBeforeWriteMs(
  failure: AppError,
  { tries, random }: { tries: number; random: number },
): number | null {
  if (failure.code !== 'rate_limited' || tries >= maxTries) return null;
  return pauseMs(failure, { tries, random, longestMs: longestWriteWaitMs });
}

function waitAfter(failure: unknown, tries: number, random: number): number | null {
  if (!(failure instanceof AppError) || !passing.includes(failure.code)) return null;
  return pauseMs(failure, { tries, random, longestMs: longestWaitMs });
}

function pauseMs(
  failure: AppError,
  { tries, random, longestMs }: { tries: number; random: number; longestMs: number },
): number | null {
  const asked = failure.data['retryAfterSeconds'];
  const askedMs = typeof asked === 'number' ? asked * 1000 : 0;
  if (askedMs > longestMs) return null;
  // Added to what was asked, so that those who were sent away together do not come back together.
  return askedMs + random * firstBackoffMs * 2 ** (tries - 1);
}

/** True when the connection failed, not when the time was up: waiting as long again would not help. */
function isBrokenConnection(failure: unknown): boolean {
  if (!(failure instanceof AppError) || failure.code !== 'service_unreachable') return false;
  return !(failure.cause instanceof Error && failure.cause.name === 'TimeoutError');
}

/** Resolves to whether the wait came to its end; rejects with the signal's reason. */
async function pause(
  waitMs: number,
  { clock, onWait, ended }: Pauses,
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
