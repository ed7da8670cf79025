import { AppError } from '#shared/errors/index.ts';

/** Waits for what others may wait for too. Fails with `call_cancelled` when the signal aborts before; it goes on for the others. */
export async function within<T>(shared: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return shared;
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new AppError('call_cancelled'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([shared, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
