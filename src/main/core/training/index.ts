export { createTraining } from './training.ts';
export { checkResult } from './results/index.ts';
export type { ResultCheck } from './results/index.ts';
