export { createCampaignReads } from './campaigns.ts';
export type { CampaignReads } from './campaigns.ts';
export { createServiceState } from './service-state.ts';
export type { ServiceState } from './service-state.ts';
