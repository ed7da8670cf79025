import { watchIdentity } from '#system/network-place.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { type Database, withStorageErrors } from './database.ts';
import type { FolderLock } from './folder-lock.ts';

type Guard = <R>(call: () => R) => R;

/** Wraps every function of these parts, and of nested parts, in the guard. */
export function guardParts<T extends object>(parts: T, guard: Guard): T {
  const guarded = Object.entries(parts).map(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') {
      return [name, (...args: unknown[]) => guard(() => Reflect.apply(member, parts, args) as unknown)];
    }
    return [name, isPart(member) ? guardParts(member, guard) : member];
  });
  return Object.fromEntries(guarded) as T;
}

const isPart = (member: unknown): member is object => typeof member === 'object' && member !== null;

interface FilePlace {
  /** Fails with `storage_failed` if the file was moved or replaced. Checks at most ten times a second. */
  check(): void;
  checkNow(): void;
}

const lookEveryMs = 100;

/** Detects a moved or replaced file. SQLite continues to use a file that was moved, so later writes would be lost. */
export function rememberPlace(file: string, clock: Clock, further: () => void = () => {}): FilePlace {
  const identity = watchIdentity(file);
  const opened = identity();
  let lookedAtMs = clock.monotonicMs();
  const checkNow = (): void => {
    if (identity() !== opened) {
      throw new AppError('storage_failed', { message: 'The database file is no longer in its place.' });
    }
    further();
    lookedAtMs = clock.monotonicMs();
  };
  return {
    check() {
      if (clock.monotonicMs() - lookedAtMs >= lookEveryMs) checkNow();
    },
    checkNow,
  };
}

interface WriteGuard {
  call: Guard;
  check(): void;
}

/** Refuses writes after the file or the lock is lost. Reads continue, so that a person still sees the stored data. */
export function createWriteGuard(
  db: Database,
  { file, clock, lock }: { file: string; clock: Clock; lock: FolderLock | undefined },
): WriteGuard {
  const place = rememberPlace(file, clock, lock?.check);
  let lost: AppError | null = null;
  // Creates a new error each time, so that the stack shows which call was refused.
  const refusal = ({ code, message }: AppError): AppError => new AppError(code, { message, cause: lost });
  const look = (check: () => void): void => {
    if (lost !== null) return;
    try {
      check();
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      lost = failure;
      if (db.open) db.pragma('query_only = ON');
    }
  };
  return {
    call(call) {
      look(place.check);
      try {
        return withStorageErrors(call, file);
      } catch (failure) {
        throw lost !== null && isReadOnly(failure) ? refusal(lost) : failure;
      }
    },
    check() {
      look(place.checkNow);
      if (lost !== null) throw refusal(lost);
    },
  };
}

const isReadOnly = (failure: unknown): boolean =>
  failure instanceof AppError && failure.code === 'disk_read_only';
