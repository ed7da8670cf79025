import type { Migration } from '../../sqlite/index.ts';
import { firstRelease } from './0012-first-release.ts';
import { withoutTreatment } from './0013-without-treatment.ts';
import { withoutRehearsals } from './0014-without-rehearsals.ts';

/** The schema of countersign.sqlite, step by step. New steps are added at the end. */
export const appMigrations: readonly Migration[] = [firstRelease, withoutTreatment, withoutRehearsals];
