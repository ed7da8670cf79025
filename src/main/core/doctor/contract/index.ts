export { runContractCheck } from './run-contract-check.ts';
export type { KnownFacts } from './check.ts';
export type { ContractCheckOptions } from './run-checks.ts';
