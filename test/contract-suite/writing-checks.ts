import type { ContractCheck } from '#core/doctor/contract/check.ts';
import { commitChecks } from './checks/commit.ts';
import { updateLimitChecks } from './checks/limits.ts';
import { updateStatusChecks } from './checks/update-status.ts';
import { updateChecks } from './checks/update.ts';
import type { WriteContext } from './write-context.ts';

/** The checks that write campaigns and put them back: for the embedded service only, never for a service that is in use. */
export const writingChecks: readonly ContractCheck<WriteContext>[] = [
  ...updateChecks,
  ...updateLimitChecks,
  ...updateStatusChecks,
  ...commitChecks,
];
