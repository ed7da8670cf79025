import { AppError } from '#shared/errors/index.ts';
import type { Console } from './console.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { LoggedBug } from './logged-bug.ts';

/** Says what failed and what to do next, and gives the exit code. */
export function reportFailure(failure: unknown, console: Console): number {
  if (failure instanceof AppError) {
    console.err(`countersign: ${failure.message}`);
    for (const { field, message } of failure.fields) console.err(`  ${field}: ${message}`);
    console.err(failure.next);
    return exitCodeOf(failure);
  }
  console.err('countersign: Something went wrong inside Countersign.');
  console.err(
    failure instanceof LoggedBug ? `Details are in ${failure.logFile}.` : 'Try again. If it stays, tell us.',
  );
  return exitCodes.failed;
}
