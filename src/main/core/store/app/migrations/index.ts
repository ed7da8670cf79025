import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0012-first-release.ts';
import { toolTreatment } from './0013-tool-treatment.ts';

/** The schema of countersign.sqlite, step by step. New steps are added at the end; until the first release, the first one grows. */
export const appMigrations: readonly Migration[] = [firstRelease, toolTreatment];
