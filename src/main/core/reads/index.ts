export { createCampaignReads } from './campaigns.ts';
export type { CampaignReads } from './campaigns.ts';
export { createKeeper } from './keeper.ts';
