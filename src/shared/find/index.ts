export { campaignConditionSchema, campaignConditionsSchema, type CampaignCondition } from './condition.ts';
export {
  begins,
  budgetColumns,
  countriesNamed,
  findableLists,
  findablePricings,
  maxFound,
  maxSearchText,
  needsFull,
  hasWords,
  needsAccount,
  textMatcher,
  usesFull,
} from './text.ts';
export { matcherOf, search } from './matches.ts';
export type { Search, SearchedCampaign } from './matches.ts';
export { budgetNames, conditionInWords, countryWords } from './words.ts';
