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
export { entryKeyOf, listKindOf } from './fields/targeting.ts';
export type { EntryForm } from './fields/targeting.ts';
export { groupStatuses, isPausedByApp, isStopped, statusOriginOf, suspended } from './changes/last-status.ts';
export type { Author, LastStatusChange, StatusGroup, StatusOrigin } from './changes/last-status.ts';
export { raisePerDay, raiseUntilEnd, restated, sumPairs } from './money.ts';
export type { MoneyRaise, MoneySum } from './money.ts';
export { exposureTexts, moneyText } from './money.ts';
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
export { zonedDateTime } from './time/calendar.ts';
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
export { judgeFields } from './changes/read-back.ts';
export { flightStart } from './exposure/index.ts';
export type { FlightHour } from './exposure/index.ts';
export { spends } from './exposure/index.ts';
export { isEntryList, typeWithCode } from './fields/fields.ts';
export { entryNouns, filterOf, listSize } from './fields/targeting.ts';
export { dimensionOfFlag, dimensionOfList } from './fields/targeting.ts';
export { hasMoney } from './money.ts';
export { hoursPerDay, hoursPerWeek } from './time/calendar.ts';
