import type { AppError } from '#shared/errors/index.ts';

/** Exit codes of the command; listed in `--help`. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, ledgerBroken: 3, refusedFile: 3, drift: 4 } as const;

/** The exit code of an expected failure. */
export function exitCodeOf(error: AppError): number {
  return error.code === 'ledger_broken' ? exitCodes.ledgerBroken : exitCodes.failed;
}

/** Signals that end a command, with the exit code that a shell expects for each. Ctrl-Break, the last one, exists on Windows alone. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGBREAK: 130 } as const;

export type StopSignal = keyof typeof signalExitCodes;

/** Turns the signals that end a program into a request to stop, so that writes under way are finished first. */
export interface Stop {
  /** Resolves with the first signal. */
  readonly requested: Promise<StopSignal>;
  /** The first signal, or null before it. */
  signal(): StopSignal | null;
  /** Stops listening. */
  dispose(): void;
}

/** A second signal does not wait: what is on the disk survives that as it survives a crash. */
export function listenForStop(): Stop {
  let first: StopSignal | null = null;
  const { promise: requested, resolve } = Promise.withResolvers<StopSignal>();
  const names = Object.keys(signalExitCodes) as StopSignal[];
  const stop = (name: StopSignal): void => {
    if (first !== null) process.exit(signalExitCodes[name]);
    first = name;
    resolve(name);
  };
  const listeners = names.map((name) => {
    const listener = (): void => stop(name);
    process.on(name, listener);
    return () => void process.off(name, listener);
  });
  return {
    requested,
    signal: () => first,
    dispose: () => listeners.forEach((remove) => remove()),
  };
}
