export {
  assessStatus,
  assessUpdate,
  lookAlikeScripts,
  mixedWarnings,
  pendingWarnings,
  suspendedWarnings,
} from './assess/index.ts';
export { bySeverity, riskKinds, riskKindsOf, warningCodes, warningOf } from './severities.ts';
export type { RiskKind, Warning, WarningCode } from './severities.ts';
export type { StatusMove } from './assess/index.ts';
export { dateOfDay, dayNumber, hoursOn, namedWeeks, officeWeek, weekday } from './calendar.ts';
export { countries, countryGroups, countryName, readCountry } from './countries.ts';
export type { CountryGroup } from './countries.ts';
export { diffCampaigns } from './effects.ts';
export { exposureOf, flightEnd, sumExposure } from './exposure/index.ts';
export { factsOf } from './facts.ts';
export type { CampaignFacts, FactMoney, FactsOfCampaign } from './facts.ts';
export { fieldGroups } from './fields.ts';
export type { FieldGroup } from './fields.ts';
export { contractFields, fieldLabel, isListName } from './fields.ts';
export { fieldLimits, typeOf } from './fields.ts';
export type { FieldLimit } from './fields.ts';
export { kindOf } from './kind.ts';
export {
  groupInWords,
  groupStatuses,
  isPausedByApp,
  isStopped,
  statusOriginOf,
  suspended,
} from './last-status.ts';
export type { Author, LastStatusChange, StatusGroup, StatusOrigin } from './last-status.ts';
export { greaterRaise, raisePerDay, raiseUntilEnd, restated, sumPairs } from './money.ts';
export type { MoneyRaise, MoneySum } from './money.ts';
export {
  alwaysUnlimitedText,
  dated,
  exposureTexts,
  moneyText,
  ofCampaigns,
  perDayText,
  perDayWords,
  untilEndWords,
} from './money.ts';
export type { MoneyPair, MoneyText } from './money.ts';
export { pictureExtensions, pictureKinds, pictureRules, pictureTypes, sizeFault } from './picture-rules.ts';
export type { PictureKind, PictureType } from './picture-rules.ts';
export { normaliseCampaign } from './read-back.ts';
export { runs } from './kind.ts';
export { decodeSchedule } from './calendar.ts';
export { isTimeZone, serviceDay } from './calendar.ts';
export type { ServiceMoment } from './calendar.ts';
export { storedEvidence } from './read-back.ts';
export type { Evidence } from './read-back.ts';
export { daysIn, nextStart, runningNow, runningWeek } from './running-week.ts';
export type { Clocks, HourState, RunningDay, RunningNow, RunningWeek } from './running-week.ts';
export { targetingDimensions } from './targeting.ts';
export type { TargetingDimension } from './targeting.ts';
export { fieldApplies, typeChange } from './type-change.ts';
export type { TypeChange } from './type-change.ts';
export {
  addressParts,
  macrosOf,
  parametersOf,
  parameterText,
  testAddress,
  withParameters,
} from './web-parameters.ts';
export type { AddressParameter } from './web-parameters.ts';
export type {
  CampaignKind,
  ChangeView,
  Exposure,
  FieldEffect,
  FieldVerdict,
  Measure,
  Money,
  Ratio,
} from './types.ts';
export { fieldErrorCodes, validateCampaign } from './validate/index.ts';
export { judgeFields, readBackVerdicts } from './read-back.ts';
export { changeInWords } from './words/change-in-words.ts';
export { factNames, factsInWords } from './words/facts-in-words.ts';
export type { FactName, FactView } from './words/facts-in-words.ts';
export { lastChangeInWords } from './words/last-change.ts';
export type { LastChange } from './words/last-change.ts';
export { statusDeed, statusTitle, updateTitle } from './words/titles.ts';
export { valueInWords } from './words/value-in-words.ts';
