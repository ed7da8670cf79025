import type { Migration } from '../../sqlite/index.ts';
import { membersAndCampaigns } from './0001-members-and-campaigns.ts';

/** The schema of backend.sqlite, step by step. New steps are added at the end. */
export const backendMigrations: readonly Migration[] = [membersAndCampaigns];
