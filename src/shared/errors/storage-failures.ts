import { entry } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';

/** What the data folder, its databases and its disk can do to the program. */
export const storageFailures = {
  data_folder_locked: entry(
    423,
    'warn',
    'Another Countersign uses this data folder.',
    'Close the other one, or start with another folder.',
  ),
  data_folder_unusable: entry(
    500,
    'error',
    'The data folder cannot be used.',
    'Check that the folder exists and is yours to write.',
  ),
  path_occupied: entry(
    500,
    'error',
    'There is a folder in the place of a file of Countersign.',
    'Move it away, then start again. Nothing was changed.',
  ),
  lock_damaged: entry(
    500,
    'error',
    'The lock file of the data folder is damaged.',
    'Make sure that no Countersign is running, delete lock.sqlite, then start again. It holds no data.',
  ),
  schema_newer: entry(
    500,
    'error',
    'The data was written by a newer Countersign.',
    'Install the newer version. Nothing was changed.',
  ),
  schema_older_build: entry(
    500,
    'error',
    'The data folder is from an older build of Countersign.',
    'Move the folder away, or choose another one, to start fresh. Nothing in it was changed.',
  ),
  schema_unknown: entry(
    500,
    'error',
    'A database has a schema number that no Countersign writes.',
    'Put a backup in its place, then start again. Nothing was changed.',
  ),
  schema_incomplete: entry(
    500,
    'error',
    'The tables of a database are not those of its schema number.',
    'Put a backup in its place, or move it away to begin with an empty one. Nothing was changed.',
  ),
  database_corrupt: entry(
    500,
    'error',
    'A database file is damaged.',
    'Keep the damaged file, and put a backup in its place.',
  ),
  disk_full: entry(
    507,
    'error',
    'The disk is full: nothing more can be kept.',
    'Free some space on it, then try again.',
  ),
  disk_read_only: entry(
    507,
    'error',
    'The disk cannot be written to.',
    'Make it writable, or choose another place.',
  ),
  storage_failed: entry(
    507,
    'error',
    'The change could not be written to disk.',
    'Check the disk, then try again.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** The failures of a disk or a database during work. The answer of a service is the same for all of them: not ready. */
export const storageCodes = [
  'storage_failed',
  'disk_full',
  'disk_read_only',
  'database_corrupt',
] as const satisfies readonly (keyof typeof storageFailures)[];
