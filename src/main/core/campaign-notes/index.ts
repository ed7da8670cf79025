export { createCampaignNotes } from './campaign-notes.ts';
export type { CampaignNotes } from './campaign-notes.ts';
