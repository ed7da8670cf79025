export { openTrainingStore, type TrainingStore } from './open-training-store.ts';
export {
  copyWorkspace,
  type MissionRecord,
  type StoredAttempt,
  type StoredMission,
  type StoredState,
  type StoredStep,
  type StoredWorkspace,
} from './rows.ts';
