export { admissionWords } from './admission.ts';
export { answerLostWords, endWords, executedWords, nextForAgent, waitingWords } from './agent-answers.ts';
export type { Refusal } from './agent-answers.ts';
export { batchWords, statusBatchWords } from './batch.ts';
export {
  argumentsInWords,
  callWords,
  namedCampaignWords,
  unknownCallTitle,
  unknownCallWords,
} from './call.ts';
export type { PictureArgument } from './call.ts';
export { changeInWords, readBackVerdicts, valuesInWords } from './changes.ts';
export { effectCertainties, wordsWithoutChange } from './effects.ts';
export type {
  EffectCertainty,
  CallEffects,
  TargetedCampaigns,
  StatusChange,
  StatusTarget,
  WriteWords,
} from './effects.ts';
export { changedFacts, factNames, factsInWords, lastChangeInWords } from './facts.ts';
export type { FactView, LastChange } from './facts.ts';
export {
  alwaysUnlimitedText,
  appendDay,
  campaignCountText,
  perDayText,
  perDayWords,
  unknownMoney,
  untilEndWords,
} from './money.ts';
export {
  endingForPerson,
  admitWords,
  approveBatchWords,
  approveCountWords,
  approveWords,
  argumentCount,
  proposedByWords,
  proposerNames,
  batchCountText,
  batchProgress,
  batchTone,
  conflictWords,
  isChangeKnown,
  scopesText,
  missingScopesText,
  placeWords,
  proposalTone,
  reviewWords,
  spendsNothing,
  stateWords,
  isUnchanged,
  targetCount,
  unchangedKindOf,
  verdictWords,
} from './outcomes.ts';
export type { FieldConflict, KnownOfCall, MemberState, UnchangedKind } from './outcomes.ts';
export { scheduleInWords, taskInWords } from '#shared/wording/tasks-and-uploads.ts';
export { riskKinds, riskKindsOf, warningCodes } from './severities.ts';
export type { Warning, WarningCode } from './severities.ts';
export { changeOfCampaign, rowChange, statusInWords, statusTargetView, statusWords } from './status.ts';
export { taskWords, uploadWords } from './tasks-and-uploads.ts';
export type { TaskChange } from './tasks-and-uploads.ts';
export { statusVerb, titles } from './titles.ts';
export { updateWords } from './update.ts';
export { valueInWords, valueWords } from './values.ts';
export type { WordsContext } from './values.ts';
export { assessUpdate, fieldWarnings } from './warnings/assess.ts';
export { isDoubtful } from '#shared/wording/call.ts';
export { assessStatus, groupInWords, pendingWarnings } from './warnings/status.ts';
export type { StatusMove } from './warnings/status.ts';
