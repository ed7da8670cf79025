import { AppError } from '#shared/errors/index.ts';
import { lockFolder } from '#core/store/sqlite/folder-lock.ts';

/** Locks the folder of its first argument, prints a line, and holds the lock until the process ends. */
const [folder = ''] = process.argv.slice(2);
const clock = { nowMs: () => Date.UTC(2026, 10, 20, 13, 55), monotonicMs: () => 0, after: () => () => {} };
try {
  const lock = lockFolder({ folder, host: 'browser', clock });
  console.log('locked');
  // Keeps a reference to the lock. Without it, the garbage collector might release the lock.
  setInterval(() => lock, 60_000);
} catch (failure) {
  console.log(failure instanceof AppError ? failure.code : String(failure));
  setInterval(() => {}, 60_000);
}
