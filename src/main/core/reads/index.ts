export { createCampaignReads } from './campaigns.ts';
export type { CampaignReads } from './campaigns.ts';
export { createKeeper } from './campaign-cache.ts';
export type { Keeper } from './campaign-cache.ts';
export { createFullCampaigns } from './full-campaigns.ts';
export type { FullCampaign, FullCampaigns, FullLoad } from './full-campaigns.ts';
