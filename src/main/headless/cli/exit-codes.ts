import type { AppError } from '#shared/errors/index.ts';

/** How the command ends; listed in `--help`. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, ledgerBroken: 3 } as const;

/** The exit code of an expected failure. */
export function exitCodeOf(error: AppError): number {
  return error.code === 'ledger_broken' ? exitCodes.ledgerBroken : exitCodes.failed;
}

/** Signals that end a command, with the exit code that a shell expects for each. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof signalExitCodes;
