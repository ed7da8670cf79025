export {
  budgetColumns,
  campaignConditionSchema,
  campaignConditionsSchema,
  findableLists,
  findablePricings,
  maxConditions,
  maxFound,
  needsFull,
} from './condition.ts';
export type { BudgetColumn, CampaignCondition } from './condition.ts';
export { listFields, matcherOf, search } from './matches.ts';
export type { Search, SearchedCampaign } from './matches.ts';
export { daysUntilEnd, momentAt, runsAt } from './running.ts';
export type { Moment } from './running.ts';
export { budgetNames, conditionInWords, countryWords } from './words.ts';
