export { createTraining } from './training.ts';
export { checkResult } from './results.ts';
export type { ResultCheck } from './results.ts';
