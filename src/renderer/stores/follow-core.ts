import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';

const maxAtOnce = 4;

/** A longer pause for reads that reach the service, which limits its calls. */
export const serviceEveryMs = 1_000;

/**
 * Returns a function that starts a read, or schedules one more after the current read. The last read always begins
 * after the last call.
 */
export function readAgain(read: () => Promise<unknown>, pauseMs = 200): () => void {
  let running = false;
  let wanted = false;
  let count = 0;
  let countedFromMs = Number.NEGATIVE_INFINITY;

  function pause(): number {
    const sinceMs = performance.now() - countedFromMs;
    if (sinceMs >= pauseMs) {
      countedFromMs = performance.now();
      count = 0;
    }
    return count < maxAtOnce ? 0 : pauseMs - sinceMs;
  }

  async function run(): Promise<void> {
    running = true;
    while (wanted) {
      for (let waitMs = pause(); waitMs > 0; waitMs = pause()) await passed(waitMs);
      count += 1;
      wanted = false;
      await read();
    }
    running = false;
  }

  return () => {
    wanted = true;
    if (!running) void run();
  };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Reads when the page is connected, at each of these events, and at every new connection. */
export function followEvent(
  bridge: AppBridge,
  kinds: AppEvent['kind'] | readonly AppEvent['kind'][],
  read: () => void,
): () => void {
  const stopEvents = bridge.subscribe(({ kind }) => [kinds].flat().includes(kind) && read());
  return stopAll(stopEvents, followConnection(bridge, read));
}

export const stopAll =
  (...stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop());

/** Reads when the page is connected, and at every new connection. */
export function followConnection(
  bridge: Pick<AppBridge, 'connection' | 'onConnection'>,
  read: () => void,
): () => void {
  const stop = bridge.onConnection((connection) => {
    if (connection.kind === 'connected') read();
  });
  if (bridge.connection().kind === 'connected') read();
  return stop;
}

export interface Acting<D> {
  doing: D | null;
  refusal: { of: D; failure: AppError } | null;
}

/** Null if another action is running or this one was refused. The reason is in the state. */
export type Act<D> = <T extends object>(doing: D, ask: () => Promise<T>) => Promise<T | null>;

/** Only expected failures become a refusal. A bug is thrown. */
export function createAct<D>(get: () => Acting<D>, set: (change: Partial<Acting<D>>) => void): Act<D> {
  return async (doing, ask) => {
    if (get().doing !== null) return null;
    set({ doing, refusal: null });
    try {
      return await ask();
    } catch (error) {
      set({ refusal: { of: doing, failure: asFailure(error) } });
      return null;
    } finally {
      set({ doing: null });
    }
  };
}

/** Returns an expected failure; throws a bug. */
export function asFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Resolves to false after an expected failure. */
export async function readInto<T extends object>(
  set: (change: (T & { failure: null }) | { failure: AppError }) => void,
  read: () => Promise<T>,
): Promise<boolean> {
  try {
    set({ ...(await read()), failure: null });
    return true;
  } catch (error) {
    set({ failure: asFailure(error) });
    return false;
  }
}

/** After an expected failure the state stays unchanged. */
export async function readOrKeep<T extends object>(
  set: (change: NoInfer<T>) => void,
  read: () => Promise<T>,
): Promise<void> {
  try {
    set(await read());
  } catch (error) {
    asFailure(error);
  }
}
