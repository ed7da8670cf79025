import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0009-first-release.ts';
import { refusedAttempts } from './0010-refused-attempts.ts';
import { statusChanges } from './0012-status-changes.ts';

/** Keeps the place of a step that is made on another branch. */
const reserved: Migration = { number: 11, name: 'reserved', up: () => undefined };

/** The schema of countersign.sqlite, step by step. New steps are added at the end. */
export const appMigrations: readonly Migration[] = [firstRelease, refusedAttempts, reserved, statusChanges];
