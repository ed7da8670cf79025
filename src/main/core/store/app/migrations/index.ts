import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0009-first-release.ts';
import { refusedAttempts } from './0010-refused-attempts.ts';
import { undoneChanges } from './0011-undone-changes.ts';
import { statusChanges } from './0012-status-changes.ts';
import { returnsAreUndos } from './0013-returns-are-undos.ts';

/** The schema of countersign.sqlite, step by step. New steps are added at the end. */
export const appMigrations: readonly Migration[] = [
  firstRelease,
  refusedAttempts,
  undoneChanges,
  statusChanges,
  returnsAreUndos,
];
