export { openTrainingStore } from './open-training-store.ts';
export type { TrainingStore } from './open-training-store.ts';
export type { StoredAttempt, StoredWorkspace } from './rows.ts';
