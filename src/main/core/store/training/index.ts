export { openTrainingStore } from './open-training-store.ts';
export type { TrainingStore } from './open-training-store.ts';
export type { StoredAttempt, StoredWorkspace } from './rows.ts';
export type { MissionRecord, StoredMission, StoredStep } from './mission-record.ts';
export { copyWorkspace } from './rows.ts';
export type { StoredState } from './rows.ts';
