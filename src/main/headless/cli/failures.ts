import { AppError, diskFailure } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Console } from './console.ts';
import { exitCodeOf, exitCodes } from './exit.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** A bug that has been written to the log; the person hears where, and nothing of its words. */
export class LoggedBug extends Error {
  readonly logFile: string;

  constructor(logFile: string, cause: unknown) {
    super('A bug was logged', { cause });
    this.name = 'LoggedBug';
    this.logFile = logFile;
  }
}

/** Says what failed and what to do next, and gives the exit code. Messages may quote a file, a service or an argument, and are made inert. */
export function reportFailure(failure: unknown, console: Console): number {
  if (failure instanceof AppError) {
    console.err(`countersign: ${inertText(failure.message)}`);
    for (const { field, message } of failure.fields)
      console.err(`  ${inertText(field)}: ${inertText(message)}`);
    console.err(inertText(failure.next));
    return exitCodeOf(failure);
  }
  console.err('countersign: Something went wrong inside Countersign.');
  console.err(
    failure instanceof LoggedBug
      ? `Details are in ${inertText(failure.logFile)}.`
      : 'Try again. If it persists, report it.',
  );
  return exitCodes.failed;
}

/** Says that the output cannot be written, which fails the whole command, and asks the command to end as a signal would. */
export function reportBrokenOutput(failure: unknown, console: Console): void {
  process.exitCode = reportFailure(
    diskFailure(failure, 'storage_failed', sentence`The output cannot be written.`),
    console,
  );
  process.emit('SIGTERM', 'SIGTERM');
}
