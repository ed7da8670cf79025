import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** So many reads may follow each other at once. */
const maxAtOnce = 4;

/** For what is read from the service, which counts its calls. */
export const serviceEveryMs = 1_000;

/**
 * Runs a read now, or once more after the one under way: a flood of events costs a few reads, and as many in each `pauseMs` that it
 * lasts, never one each. The last read always began after the last event.
 */
export function readAgain(read: () => Promise<unknown>, pauseMs = 200): () => void {
  let running = false;
  let wanted = false;
  let count = 0;
  let countedFromMs = Number.NEGATIVE_INFINITY;

  /** Delay until the next read, in milliseconds. */
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

/** Reads at once where the page is connected, and again at every such event and every new connection. Returns the unsubscribe function. */
export function followEvent(
  bridge: AppBridge,
  kinds: AppEvent['kind'] | readonly AppEvent['kind'][],
  read: () => void,
): () => void {
  const stopEvents = bridge.subscribe(({ kind }) => [kinds].flat().includes(kind) && read());
  return stopAll(stopEvents, followConnection(bridge, read));
}

/** Returns the unsubscribe function of several. */
export const stopAll =
  (...stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop());

/** Reads at once where the page is connected, and again at every new connection. Returns the unsubscribe function. */
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

/** One action at a time, and the last one that was refused. */
export interface Acting<D> {
  doing: D | null;
  /** Null once something is done or dismissed. */
  refusal: { of: D; failure: AppError } | null;
}

/** Does one thing. Null when something else is under way, or when it was refused; the reason is in the state. */
export type Act<D> = <T extends object>(doing: D, ask: () => Promise<T>) => Promise<T | null>;

/** The `Act` of one store. A bug surfaces instead of looking like a refusal. */
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

/** The expected failure that was caught; a bug is thrown on. */
export function asFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Sets what a read resolves with, or its expected failure. Resolves to false after a failure. */
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

/** Sets what a read resolves with. An expected failure keeps what is known: the page says it elsewhere, or the next event reads again. */
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
