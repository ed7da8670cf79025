export { createAccountList, type AccountList } from './account-list.ts';
export { createCampaignReads, type CampaignReads } from './campaigns.ts';
export { createCampaignCache, type CampaignCache } from './campaign-cache.ts';
export { createFirstScreen, type FirstScreenKeeper } from './first-screen.ts';
export { createFinder, type AttachedNotes, type Finder } from './find.ts';
export { createMoneyLine } from './money-today.ts';
export {
  createFullCampaigns,
  flightsOf,
  fullStateOf,
  type FullCampaign,
  type FullCampaigns,
  type FullLoad,
} from './full-campaigns.ts';
