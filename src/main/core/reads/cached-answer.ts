import type { Connection } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { isAway } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** The notice beside rows from earlier reads: the reason and the remedy. */
export interface CachedReason {
  because: string;
  next: string;
}

/** The words for kept rows; null for a failure that kept rows would hide. */
export function cachedReasonOf(failure: unknown): CachedReason | null {
  if (!(failure instanceof AppError) || !isAway(failure)) return null;
  return { because: failure.message, next: failure.next };
}

/** The service's answer; while it is away, an earlier read, without a long wait if the absence is already known. */
export async function orCached<T extends { cached: CachedReason | null }>(
  { state, clock }: Pick<Connection, 'state'> & { clock: Clock },
  reading: Promise<T>,
  earlier: () => Omit<T, 'cached'> | null,
): Promise<T | (Omit<T, 'cached'> & { cached: CachedReason })> {
  try {
    return await (state.isAway() && earlier() !== null ? soon(reading, clock) : reading);
  } catch (failure) {
    const cached = cachedReasonOf(failure);
    const found = cached && earlier();
    if (cached === null || found === null) throw failure;
    return { ...found, cached };
  }
}

/** A service that is known to be away is waited for so long, in milliseconds: what stands in is at hand. */
const requestDeadlineMs = 300;

/**
 * The answer if it comes soon, else `service_unreachable`. The call goes on: when it is answered after all, the state of the
 * service changes, and the pages read again.
 */
async function soon<T>(answer: Promise<T>, clock: Clock): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(requestDeadlineMs, () => reject(new AppError('service_unreachable')));
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    cancel();
  }
}
