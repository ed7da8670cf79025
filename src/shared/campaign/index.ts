export {
  assessStatus,
  assessUpdate,
  fieldWarnings,
  lookAlikeScripts,
  mixedWarnings,
  pendingWarnings,
  suspendedWarnings,
} from './assess/index.ts';
export { bySeverity, riskKinds, riskKindsOf, warningCodes, warningOf } from './severities.ts';
export type { RiskKind, Warning, WarningCode } from './severities.ts';
export type { StatusMove } from './assess/index.ts';
export { bidControlOf, bidsOfSources } from './fields/bid-controls.ts';
export type { BidControl, BidControlChange } from './fields/bid-controls.ts';
export {
  dateOfDay,
  dayNumber,
  hoursOn,
  minuteOfDay,
  namedWeeks,
  officeWeek,
  weekday,
} from './time/calendar.ts';
export { countries, countryGroups, countryName, readCountry } from './fields/countries.ts';
export type { CountryGroup } from './fields/countries.ts';
export {
  editFailures,
  isIdentity,
  memberStatusError,
  notEditable,
  statusAlone,
  updateFailures,
} from './changes/edit-failures.ts';
export { diffCampaigns, isSameValue } from './changes/effects.ts';
export { exposureOf, exposureOfRow, flightEnd, rowLimit, sumExposure } from './exposure/index.ts';
export type { BudgetField } from './exposure/index.ts';
export { factsOf } from './changes/facts.ts';
export type { CampaignFacts, FactMoney, FactsOfCampaign } from './changes/facts.ts';
export { campaignFields, fieldGroups } from './fields/fields.ts';
export type { FieldGroup } from './fields/fields.ts';
export { contractFields, fieldLabel, fieldWords, isListName } from './fields/fields.ts';
export { fieldLimits, limits, typeOf } from './fields/fields.ts';
export type { FieldLimit } from './fields/fields.ts';
export { kindOf } from './fields/kind.ts';
export { entryKeyOf, listKindOf } from './fields/list-kinds.ts';
export type { EntryForm } from './fields/list-kinds.ts';
export {
  groupInWords,
  groupStatuses,
  isPausedByApp,
  isStopped,
  statusOriginOf,
  suspended,
} from './changes/last-status.ts';
export type { Author, LastStatusChange, StatusGroup, StatusOrigin } from './changes/last-status.ts';
export { raisePerDay, raiseUntilEnd, restated, sumPairs } from './money.ts';
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
export {
  pictureExtensions,
  pictureKinds,
  pictureRules,
  pictureTypes,
  sizeFault,
} from './fields/picture-rules.ts';
export type { PictureKind, PictureType } from './fields/picture-rules.ts';
export { normaliseCampaign } from './changes/read-back.ts';
export { runs } from './fields/kind.ts';
export { decodeSchedule } from './time/calendar.ts';
export { isTimeZone, serviceDay, serviceHour } from './time/calendar.ts';
export type { ServiceMoment } from './time/calendar.ts';
export { storedEvidence } from './changes/read-back.ts';
export type { Evidence } from './changes/read-back.ts';
export { daysIn, flightIsOver, nextStart, runningNow, runningWeek } from './time/running-week.ts';
export type { Clocks, HourState, RunningDay, RunningNow, RunningWeek } from './time/running-week.ts';
export { targetingDimensions } from './fields/targeting.ts';
export type { TargetingDimension } from './fields/targeting.ts';
export { fieldApplies, typeChange } from './fields/type-change.ts';
export type { TypeChange } from './fields/type-change.ts';
export {
  addressParts,
  macrosOf,
  parametersOf,
  parameterText,
  testAddress,
  withParameters,
} from './fields/web-parameters.ts';
export type { AddressParameter } from './fields/web-parameters.ts';
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
export { judgeFields, readBackVerdicts } from './changes/read-back.ts';
export { changeInWords, valuesInWords } from './words/change-in-words.ts';
export { changedFacts, factNames, factsInWords } from './words/facts-in-words.ts';
export type { FactName, FactView } from './words/facts-in-words.ts';
export { lastChangeInWords } from './words/last-change.ts';
export type { LastChange } from './words/last-change.ts';
export { statusVerb, statusTitle, updateTitle } from './words/titles.ts';
export { valueInWords, valueWords } from './words/value-in-words.ts';
export type { WordsContext } from './words/value-in-words.ts';
