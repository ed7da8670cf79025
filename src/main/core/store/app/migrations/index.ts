import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0009-first-release.ts';
import { refusedAttempts } from './0010-refused-attempts.ts';
import { undoAndStatusChanges } from './0011-undo-and-status-changes.ts';
import { drafts } from './0012-drafts.ts';
import { uploads } from './0013-uploads.ts';

/** The schema of countersign.sqlite, step by step. New steps are added at the end. */
export const appMigrations: readonly Migration[] = [
  firstRelease,
  refusedAttempts,
  undoAndStatusChanges,
  drafts,
  uploads,
];
