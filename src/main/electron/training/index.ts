export { setUpTraining } from './set-up-training.ts';
export type { Training } from './set-up-training.ts';
