export type { PlantedFault, TrainingCase, TrainingChange, TrainingWrite } from './cases.ts';
export { harmlessChanges } from './harmless-changes.ts';
export { plantedFaults } from './planted-faults.ts';
export { sampleCampaign, sampleContext, sampleDay } from './sample-campaign.ts';
