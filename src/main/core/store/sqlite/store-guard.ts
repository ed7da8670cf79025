import { watchIdentity } from '#system/network-place.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { type Database, withStorageErrors } from './database.ts';
import type { FolderLock } from './folder-lock.ts';

type Guard = <R>(call: () => R) => R;

/** The same parts, every function of theirs behind the guard; nested parts included. */
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
  /** Fails with `storage_failed` when it is not; looks at most ten times a second. */
  check(): void;
  checkNow(): void;
}

const lookEveryMs = 100;

/**
 * Remembers the file under this name: SQLite goes on with one that was moved, and later writes are lost. Also checks
 * `further`.
 */
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
  /** Runs one call; one that writes fails then with the reason. Looks at most ten times a second. */
  call: Guard;
  check(): void;
}

/** Makes the guard of a connection. Its reads go on, so that a person still sees what is stored. */
export function createWriteGuard(
  db: Database,
  { file, clock, lock }: { file: string; clock: Clock; lock: FolderLock | undefined },
): WriteGuard {
  const place = rememberPlace(file, clock, lock?.check);
  let lost: AppError | null = null;
  // A new one each time: its stack says which call was refused.
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
