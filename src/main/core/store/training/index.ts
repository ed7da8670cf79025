export { openTrainingStore } from './open-training-store.ts';
export type { TrainingStore } from './open-training-store.ts';
export { readAttempt } from './rows.ts';
export type { BegunAttempt, SignedAttempt, StoredAttempt, StoredWorkspace } from './rows.ts';
export { openMissionRecord } from './mission-record.ts';
export type { MissionRecord, RecordSeal, StoredMission, StoredStep } from './mission-record.ts';
export { copyWorkspace } from './practice-states.ts';
export type { StoredState } from './practice-states.ts';
