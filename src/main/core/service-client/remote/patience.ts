import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';

/** How long one request is waited for: until its time is up or its caller cancels. */
export interface Patience {
  /** Aborts with the end of the waiting. */
  signal: AbortSignal;
  /** Something was heard of the request: its time begins anew. */
  renew(): void;
  /** Why the waiting ended; null while it has not. */
  failure(): AppError | null;
  /** Ends the timer; called whatever came of the request. */
  end(): void;
}

/** Begins to wait. The failure is `call_cancelled`, or `service_unreachable` with `data.sent` when the time was up. */
export function createPatience(clock: Clock, timeoutMs: number, cancelled?: AbortSignal): Patience {
  const controller = new AbortController();
  let failure: AppError | null = null;
  const stop = (why: AppError, words: string): void => {
    failure ??= why;
    controller.abort(words);
  };
  const timeUp = (): void => {
    const cause = new DOMException('No answer came in time', 'TimeoutError');
    stop(new AppError('service_unreachable', { data: { sent: true }, cause }), 'No answer came in time.');
  };
  const cancel = (): void => stop(new AppError('call_cancelled'), 'The caller no longer waits.');
  let cancelTimer = clock.after(timeoutMs, timeUp);
  if (cancelled?.aborted === true) cancel();
  cancelled?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    renew() {
      cancelTimer();
      if (failure === null) cancelTimer = clock.after(timeoutMs, timeUp);
    },
    failure: () => failure,
    end() {
      cancelTimer();
      cancelled?.removeEventListener('abort', cancel);
    },
  };
}
