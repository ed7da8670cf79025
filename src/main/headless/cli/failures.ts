import { ownWords, type OwnWords, quotedUpTo, sentence, type Sentence } from '#shared/lib/sentence.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Console } from './console.ts';

export class LoggedBug extends Error {
  readonly logFile: string;

  constructor(logFile: string, cause: unknown) {
    super('A bug was logged', { cause });
    this.name = 'LoggedBug';
    this.logFile = logFile;
  }
}

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

export function reportBrokenOutput(failure: unknown, console: Console): void {
  process.exitCode = reportFailure(
    diskFailure(failure, 'storage_failed', sentence`The output cannot be written.`),
    console,
  );
  process.emit('SIGTERM', 'SIGTERM');
}

export const exitCodes = { ok: 0, failed: 1, usage: 2, ledgerBroken: 3, refusedFile: 3, drift: 4 } as const;

function exitCodeOf(error: AppError): number {
  return error.code === 'ledger_broken' ? exitCodes.ledgerBroken : exitCodes.failed;
}

export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGBREAK: 130 } as const;

type StopSignal = keyof typeof signalExitCodes;

export interface Stop {
  readonly requested: Promise<StopSignal>;
  signal(): StopSignal | null;
  dispose(): void;
}

/** A second signal ends the process immediately: files survive that as they survive a crash. */
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

export interface UnreadableReason {
  reason: string;
  remedy: Sentence;
}

const missing: UnreadableReason = { reason: 'There is no such file.', remedy: sentence`Check the path.` };
const forbidden: UnreadableReason = {
  reason: 'You may not read it.',
  remedy: sentence`Change its permissions, or copy it to a place of your own.`,
};

const reasons: Readonly<Record<string, UnreadableReason>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EACCES: forbidden,
  EPERM: forbidden,
  EISDIR: { reason: 'It is a folder.', remedy: sentence`Name a file in it.` },
  ELOOP: { reason: 'Its links lead in a circle.', remedy: sentence`Name the file itself.` },
  ENAMETOOLONG: {
    reason: 'The path is too long.',
    remedy: sentence`Name the file from a folder that is nearer.`,
  },
};

function systemCodeOf(failure: unknown): string | null {
  const isOfSystem = failure instanceof Error && 'syscall' in failure && 'code' in failure;
  return isOfSystem ? String(failure.code) : null;
}

function reasonOf(code: string): UnreadableReason {
  return (
    reasons[code] ?? {
      reason: `It cannot be read (${code}).`,
      remedy: sentence`Check the disk, then try again.`,
    }
  );
}

/** Explains why a file cannot be read, and what to do. Throws a failure that is not from the file system. */
export function whyUnreadable(failure: unknown): string {
  const code = systemCodeOf(failure);
  if (code === null) throw failure;
  const { reason, remedy } = reasonOf(code);
  return `${reason} ${remedy}`;
}

const maxPathLength = 300;

class UnreadableFile extends AppError {
  readonly #remedy: Sentence;

  constructor(name: OwnWords, { reason, remedy }: UnreadableReason, { code, data, cause }: AppError) {
    super(code, { message: sentence`${name}: ${ownWords(reason)}`, data, cause });
    this.#remedy = remedy;
  }

  override get next(): Sentence {
    return this.#remedy;
  }
}

/** The failure for a file that can be read, but is of another kind. */
export function otherFile(file: string, reason: UnreadableReason): AppError {
  return new UnreadableFile(quotedUpTo(file, maxPathLength), reason, new AppError('not_found'));
}

export function withFileName(file: string, failure: unknown): unknown {
  if (failure instanceof UnreadableFile) return failure;
  const code = systemCodeOf(failure);
  if (!(failure instanceof AppError) && code === null) return failure;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const expected =
    failure instanceof AppError ? failure : diskFailure(failure, isMissing ? 'not_found' : 'storage_failed');
  const name = quotedUpTo(file, maxPathLength);
  const { message, data, cause } = expected;
  const causeCode = systemCodeOf(cause);
  if (expected.code !== 'disk_full' && causeCode !== null)
    return new UnreadableFile(name, reasonOf(causeCode), expected);
  return new AppError(expected.code, { message: sentence`${name}: ${ownWords(message)}`, data, cause });
}
