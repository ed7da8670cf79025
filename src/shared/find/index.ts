export { campaignConditionSchema, campaignConditionsSchema, type CampaignCondition } from './condition.ts';
export { budgetColumns, findableLists, findablePricings, maxFound, maxSearchText } from './constants.ts';
export { needsFull, usesFull } from './constants.ts';
export { matcherOf, search } from './matches.ts';
export { hasWords, needsAccount, textMatcher } from './text.ts';
export type { Search, SearchedCampaign } from './matches.ts';
export { budgetNames, conditionInWords, countryWords } from './words.ts';
