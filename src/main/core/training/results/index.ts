export { createAttempts, createResultKey } from './attempts.ts';
export type { Attempts } from './attempts.ts';
export { checkResult } from './check-result.ts';
export type { ResultCheck } from './check-result.ts';
export { createResults } from './results.ts';
export type { Results } from './results.ts';
