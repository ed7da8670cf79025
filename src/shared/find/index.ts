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
export { budgetNames, conditionInWords, countryWords } from './words.ts';
