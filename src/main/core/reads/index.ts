export { createAccountList } from './account-list.ts';
export type { AccountList } from './account-list.ts';
export { createCampaignReads } from './campaigns.ts';
export type { CampaignReads } from './campaigns.ts';
export { createKeeper } from './campaign-cache.ts';
export { createFullCampaigns, fullStateOf } from './full-campaigns.ts';
export type { FullCampaign, FullCampaigns, FullLoad } from './full-campaigns.ts';
export { createFinder } from './find.ts';
export type { AttachedNotes, Finder } from './find.ts';
