import type { Clock } from '#core/platform/clock.ts';
import { runTransaction, schemaNumber } from '../sqlite/index.ts';
import type { Database } from '../sqlite/index.ts';

const lookEveryMs = 1_000;

/**
 * Whether a write reaches the disk: commits one that changes nothing, at most once a second; in between the last outcome
 * counts. Fails with `storage_failed`.
 */
export function createProbe(db: Database, { clock, check }: { clock: Clock; check(): void }): () => void {
  let last: { atMs: number; failure: unknown } | undefined;
  const look = (): unknown => {
    try {
      check();
      // SQLite writes the page whether the number is another one or not.
      runTransaction(db, () => db.pragma(`user_version = ${schemaNumber(db)}`));
      return null;
    } catch (failure) {
      return failure;
    }
  };
  return () => {
    const nowMs = clock.monotonicMs();
    if (last === undefined || nowMs - last.atMs >= lookEveryMs) last = { atMs: nowMs, failure: look() };
    if (last.failure !== null) throw last.failure;
  };
}
