import { createTrainingWindowStore } from './training-window-store.ts';

/** The page's store of the window of training. */
export const trainingWindowStore = createTrainingWindowStore();
