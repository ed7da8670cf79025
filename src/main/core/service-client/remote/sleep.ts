import type { Pauses } from '../retry.ts';

/** Waits; fails with the signal's reason when it aborts before. */
export async function sleep(
  delayMs: number,
  { pauses, signal }: { pauses: Pauses; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  const cancel = pauses.clock.after(delayMs, resolve);
  try {
    await promise;
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
