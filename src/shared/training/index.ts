export type { PlantedFault, TrainingCase, TrainingChange, TrainingWrite } from './corpus.ts';
export { harmlessChanges } from './harmless-changes.ts';
export { plantedFaults } from './planted-faults.ts';
export { sampleContext, sampleDay } from './sample-campaign.ts';
export { faultKinds, missionIds } from './mission.ts';
export type {
  AgentWrite,
  Fault,
  FaultKind,
  Incident,
  MissionId,
  MissionPlan,
  MissionStep,
  Moment,
  Score,
  StepEnd,
  StepRecord,
  Verdict,
} from './mission.ts';
