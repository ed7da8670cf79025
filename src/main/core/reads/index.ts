export { createCampaignReads } from './campaigns.ts';
export type { CampaignReads } from './campaigns.ts';
export { createKeeper } from './campaign-cache.ts';
