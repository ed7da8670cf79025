import { AppError } from '#shared/errors/index.ts';
import { lockFolder } from '#core/store/sqlite/folder-lock.ts';

/** Takes the folder of its first argument, says so, and holds it until it is ended. */
const [folder = ''] = process.argv.slice(2);
const clock = { nowMs: () => Date.UTC(2026, 10, 20, 13, 55), monotonicMs: () => 0, after: () => () => {} };
try {
  const lock = lockFolder({ folder, host: 'browser', clock });
  console.log('locked');
  // Who forgets the lock may lose it to the garbage collector.
  setInterval(() => lock, 60_000);
} catch (failure) {
  console.log(failure instanceof AppError ? failure.code : String(failure));
  setInterval(() => {}, 60_000);
}
