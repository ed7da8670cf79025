import type { Clock } from '#core/platform/clock.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';

/** What stands beside rows that come from earlier reads: why, and the way back. */
export interface Kept {
  because: string;
  next: string;
}

/** The service did not answer, or answered to nobody: what was read earlier may stand in. Whatever else it says is its answer. */
const awayCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'service_unreachable',
  'service_unavailable',
  'service_failed',
  'rate_limited',
  'unauthenticated',
  'credential_missing',
]);

/** The words for kept rows; null for a failure that kept rows would hide. */
export function awayOf(failure: unknown): Kept | null {
  if (!(failure instanceof AppError) || !awayCodes.has(failure.code)) return null;
  return { because: failure.message, next: failure.next };
}

/** A service that is known to be away is waited for so long, in milliseconds: what stands in is at hand. */
const patienceMs = 300;

/**
 * The answer if it comes soon, else `service_unreachable`. The call goes on: when it is answered after all, the state of the
 * service changes, and the pages read again.
 */
export async function soon<T>(answer: Promise<T>, clock: Clock): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(patienceMs, () => reject(new AppError('service_unreachable')));
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    cancel();
  }
}
