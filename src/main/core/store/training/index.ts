export { openTrainingStore, type TrainingStore } from './open-training-store.ts';
export { type StoredAttempt, type StoredWorkspace, copyWorkspace, type StoredState } from './rows.ts';
export type { MissionRecord, StoredMission, StoredStep } from './mission-record.ts';
