import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0008-first-release.ts';

/** The schema of backend.sqlite, step by step. New steps are added at the end. */
export const backendMigrations: readonly Migration[] = [firstRelease];
