export { bidControlOf, bidsToCopy } from './fields/bid-controls.ts';
export type { BidControl, BidControlChange } from './fields/bid-controls.ts';
export { dateOfDay, dayNumber, hoursOn, minuteOfDay, namedWeeks, officeWeek } from './time/calendar.ts';
export { weekday, dayStartMs, decodeSchedule, isTimeZone, serviceDay } from './time/calendar.ts';
export { serviceHour } from './time/calendar.ts';
export { zonedDateTime, hoursPerDay, hoursPerWeek } from './time/calendar.ts';
export type { ServiceMoment } from './time/calendar.ts';
export {
  returnMoment,
  returnPresets,
  runsAhead,
  weekAhead,
  daysIn,
  flightIsOver,
  nextStart,
  runningNow,
  runningHours,
  runningWeek,
} from './time/running-week.ts';
export type { ReturnPreset, Clocks, HourState, RunningDay, RunningNow } from './time/running-week.ts';
export {
  countries,
  countryGroups,
  countryName,
  parseCountryCode,
  type CountryGroup,
} from './fields/countries.ts';
export { editFailures, isIdentity, memberStatusError, notEditable, statusAlone } from './validate/index.ts';
export { updateFailures, fieldErrorCodes, validateCampaign } from './validate/index.ts';
export { diffCampaigns, isSameValue, normaliseCampaign, storedEvidence } from './changes/effects.ts';
export { judgeFields } from './changes/effects.ts';
export type { Evidence } from './changes/effects.ts';
export { costToday, exposureOf, exposureOfRow, flightEnd, rowLimit } from './exposure/index.ts';
export { sumExposure } from './exposure/index.ts';
export { flightStart, spends } from './exposure/index.ts';
export type { BudgetField, FlightHour } from './exposure/index.ts';
export { factsOf, type CampaignFacts, type FactMoney, type CampaignFactsChange } from './changes/facts.ts';
export {
  campaignFields,
  fieldGroups,
  contractFields,
  fieldLabel,
  fieldWords,
  isListName,
  fieldLimits,
  limits,
  typeOf,
  isEntryList,
  typeWithCode,
  kindOf,
  runs,
} from './fields/fields.ts';
export type { FieldGroup, FieldLimit } from './fields/fields.ts';
export { entryKeyOf, listKindOf, targetingDimensions, entryNouns, filterOf } from './fields/targeting.ts';
export { listSize, dimensionOfFlag, dimensionOfList } from './fields/targeting.ts';
export type { EntryForm, TargetingDimension } from './fields/targeting.ts';
export { groupStatuses, isPausedByApp, isStopped, statusOriginOf, suspended } from './changes/last-status.ts';
export type { Author, LastStatusChange, StatusGroup, StatusOrigin } from './changes/last-status.ts';
export {
  raiseOf,
  raisePerDay,
  raiseUntilEnd,
  restated,
  sumPairs,
  exposureTexts,
  moneyText,
} from './money.ts';
export { hasMoney } from './money.ts';
export type { CountedMoney, MoneyRaise, MoneySum, MoneyPair, MoneyText } from './money.ts';
export { pictureExtensions, pictureKinds, pictureRules, pictureTypes } from './fields/picture-rules.ts';
export { sizeFault } from './fields/picture-rules.ts';
export type { PictureKind, PictureType } from './fields/picture-rules.ts';
export { fieldApplies, typeChange, type TypeChange } from './fields/type-change.ts';
export { addressParts, macrosOf, parametersOf, parameterText, testAddress } from './fields/web-parameters.ts';
export { withParameters } from './fields/web-parameters.ts';
export type { AddressParameter } from './fields/web-parameters.ts';
export type { CampaignKind, ChangeView, Exposure, FieldEffect, FieldVerdict, Measure } from './types.ts';
export type { Money, Ratio } from './types.ts';
