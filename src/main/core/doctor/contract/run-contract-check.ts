import type { ContractFinding } from '#shared/app-api/index.ts';
import { contractChecks } from './checks/index.ts';
import { runChecks } from './run-checks.ts';
import type { ContractCheckOptions } from './run-checks.ts';

/**
 * Holds a service against the contract, one request after the other, and gives a finding for every check. Never fails
 * because of the service; an abort ends it with the findings made so far. A service that answers 429 is left alone: what
 * comes after is skipped.
 */
export function runContractCheck(options: ContractCheckOptions): Promise<ContractFinding[]> {
  return runChecks(contractChecks, options);
}
