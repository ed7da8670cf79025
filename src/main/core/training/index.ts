export { createTraining } from './training.ts';
