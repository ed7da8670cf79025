export { assessStatus, assessUpdate, bySeverity, lookAlikeScripts, pendingWarnings } from './assess/index.ts';
export type { StatusMove } from './assess/index.ts';
export { dayNumber, weekday } from './calendar.ts';
export { diffCampaigns } from './diff.ts';
export { exposureOf, sumExposure } from './exposure/index.ts';
export { fieldGroups } from './fields/groups.ts';
export type { FieldGroup } from './fields/groups.ts';
export { contractFields, fieldLabel } from './fields/labels.ts';
export { fieldLimits, typeOf } from './fields/limits.ts';
export type { FieldLimit } from './fields/limits.ts';
export { kindOf } from './kind.ts';
export { greaterRaise, raisePerDay, raiseUntilEnd, sumPairs } from './money-sum.ts';
export type { MoneyRaise, MoneySum } from './money-sum.ts';
export {
  alwaysUnlimitedText,
  dated,
  exposureTexts,
  moneyText,
  ofCampaigns,
  perDayText,
  perDayWords,
  untilEndWords,
} from './money-text.ts';
export type { MoneyPair, MoneyText } from './money-text.ts';
export { normaliseCampaign } from './normalise.ts';
export { runs } from './runs.ts';
export { decodeSchedule } from './schedule.ts';
export { isTimeZone, serviceDay } from './service-day.ts';
export type { ServiceMoment } from './service-day.ts';
export { storedEvidence } from './stored-evidence.ts';
export type { Evidence } from './stored-evidence.ts';
export { targetingDimensions } from './targeting.ts';
export type {
  ChangeView,
  Exposure,
  FieldEffect,
  FieldVerdict,
  Measure,
  Money,
  Ratio,
  Warning,
} from './types.ts';
export { fieldErrorCodes, validateCampaign } from './validate/index.ts';
export { judgeFields, readBackVerdicts } from './verdicts.ts';
export { changeInWords } from './words/change-in-words.ts';
export { statusDeed, statusTitle, updateTitle } from './words/titles.ts';
export { valueInWords } from './words/value-in-words.ts';
