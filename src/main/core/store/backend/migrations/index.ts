import type { Migration } from '../../sqlite/index.ts';
import { membersAndCampaigns } from './0001-members-and-campaigns.ts';
import { modules } from './0002-modules.ts';
import { oauth } from './0003-oauth.ts';
import { statistics } from './0004-statistics.ts';
import { operations } from './0005-operations.ts';
import { tasks } from './0006-tasks.ts';
import { unapproved } from './0007-unapproved.ts';

/** The schema of backend.sqlite, step by step. New steps are added at the end. */
export const backendMigrations: readonly Migration[] = [
  membersAndCampaigns,
  modules,
  oauth,
  statistics,
  operations,
  tasks,
  unapproved,
];
