import type { ContractCheck } from '../../check.ts';
import { commitChecks } from './commit.ts';
import { updateChecks } from './update.ts';
import { updateLimitChecks } from './update-limits.ts';
import { updateStatusChecks } from './update-status.ts';

/** The checks that write campaigns and put them back: for the embedded backend in tests only. */
export const writingChecks: readonly ContractCheck[] = [
  ...updateChecks,
  ...updateLimitChecks,
  ...updateStatusChecks,
  ...commitChecks,
];
