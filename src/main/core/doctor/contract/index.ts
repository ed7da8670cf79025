export { runContractCheck } from './run-contract-check.ts';
export type { ContractCheckOptions } from './run-contract-check.ts';
