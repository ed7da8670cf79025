import { AppError } from '#shared/errors/index.ts';

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
      if (!(error instanceof AppError)) throw error;
      set({ refusal: { of: doing, failure: error } });
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

/** Sets what a read resolves with, or its expected failure. */
export async function readInto<T extends object>(
  set: (change: (T & { failure: null }) | { failure: AppError }) => void,
  read: () => Promise<T>,
): Promise<void> {
  try {
    set({ ...(await read()), failure: null });
  } catch (error) {
    set({ failure: asFailure(error) });
  }
}
