export { attemptSchema, faultProgressSchema, traineeNameSchema } from './attempt.ts';
export type { Attempt, FaultProgress, MetFault, Score } from './attempt.ts';
export { faultKinds, lessonIds, missionIds, missionKinds, singleChangeMissions } from './mission.ts';
export type {
  AgentWrite,
  Fault,
  FaultKind,
  Incident,
  LessonId,
  MissionId,
  MissionPlan,
  MissionStep,
  Moment,
  StepEnd,
  StepRecord,
  Verdict,
} from './mission.ts';
export { progressOf, recommendedMissions } from './attempt.ts';
export { metFaults, scoreOf, type JudgedStep } from './score.ts';
export { costText, durationText, faultWords, incompleteWords, missionWords, scoreSentence } from './words.ts';
