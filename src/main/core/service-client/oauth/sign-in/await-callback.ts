import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { openCallbackListener, type Callback, type CallbackListener } from './callback.ts';
import type { RegisteredClient } from '../grants.ts';

/**
 * Listens under the address that the known client was registered with; `client` is null where that port is taken, or where
 * none is known, and the listener has any free port. The caller disposes the listener.
 */
export async function listenFor(
  state: string,
  known: RegisteredClient | null,
  logger: Logger,
): Promise<{ listener: CallbackListener; client: RegisteredClient | null }> {
  const port = known === null ? 0 : Number(URL.parse(known.redirectUri)?.port ?? 0);
  if (port !== 0) {
    const listener = await openKnown(port, state, logger);
    if (listener !== null && listener.redirectUri === known?.redirectUri) return { listener, client: known };
    await listener?.dispose();
  }
  return { listener: await openCallbackListener({ port: 0, state, logger }), client: null };
}

/** Null where the port cannot be had: another program has it, or the system keeps it for itself. */
async function openKnown(port: number, state: string, logger: Logger): Promise<CallbackListener | null> {
  try {
    return await openCallbackListener({ port, state, logger });
  } catch (failure) {
    logger.info({ port, failure }, 'The port of an earlier sign-in cannot be used');
    return null;
  }
}

export interface AwaitOptions {
  /** As in `SignInOptions`. */
  open(address: string): Promise<boolean>;
  onProgress?(progress: AwaitProgress): void;
  signal: AbortSignal;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

export type AwaitProgress =
  { kind: 'waiting'; address: string; endsAtMs: number } | { kind: 'opened'; opened: boolean };

/**
 * Opens the address and waits for its answer, whether a browser opened or not: a person may copy the address. Fails with
 * `sign_in_timed_out` or `sign_in_cancelled`.
 */
export async function awaitCallback(
  listener: CallbackListener,
  address: string,
  options: AwaitOptions,
): Promise<Callback> {
  const { clock, timeoutMs, onProgress } = options;
  onProgress?.({ kind: 'waiting', address, endsAtMs: clock.nowMs() + timeoutMs });
  let isWaiting = true;
  void openBrowser(address, options).then((opened) => {
    if (isWaiting) onProgress?.({ kind: 'opened', opened });
  });
  try {
    return await firstOf(listener.arrived, options);
  } finally {
    isWaiting = false;
  }
}

async function openBrowser(address: string, { open, logger }: AwaitOptions): Promise<boolean> {
  try {
    return await open(address);
  } catch {
    // The failure may repeat the address, and with it the state.
    logger.warn({}, 'The browser could not be opened for a sign-in');
    return false;
  }
}

/** The callback, the end of the time, or the cancellation. */
function firstOf(arrived: Promise<Callback>, { timeoutMs, clock, signal }: AwaitOptions): Promise<Callback> {
  const { promise, resolve, reject } = Promise.withResolvers<Callback>();
  const cancel = (): void => reject(new AppError('sign_in_cancelled'));
  const stop = clock.after(timeoutMs, () => reject(new AppError('sign_in_timed_out')));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  arrived.then(resolve, reject);
  return promise.finally(() => {
    stop();
    signal.removeEventListener('abort', cancel);
  });
}
