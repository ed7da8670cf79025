export { harmlessChanges, plantedFaults } from './cases.ts';
export type { PlantedFault, TrainingCase, TrainingChange, TrainingWrite } from './cases.ts';
export { sampleCampaign, sampleContext, sampleDay } from './sample-campaign.ts';
