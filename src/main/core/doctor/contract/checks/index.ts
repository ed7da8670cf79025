import type { ContractCheck } from '../check.ts';
import { campaignChecks } from './campaign.ts';
import { campaignListChecks } from './campaign-list.ts';
import { campaignListLimitChecks } from './campaign-list-limits.ts';
import { campaignListSearchChecks } from './campaign-list-search.ts';
import { discoveryChecks } from './discovery.ts';
import { healthChecks } from './health.ts';
import { memberAccessChecks } from './member-access.ts';
import { remoteAccessChecks } from './remote-access.ts';
import { remoteToolChecks } from './remote-tools.ts';
import { searchReportChecks } from './search-report.ts';
import { writingChecks } from './writing/index.ts';
import { xmlStatsChecks } from './xml-stats.ts';

/** Every check, in the order in which they are made: from what needs nothing to what writes. */
export const contractChecks: readonly ContractCheck[] = [
  ...healthChecks,
  ...discoveryChecks,
  ...memberAccessChecks,
  ...campaignListChecks,
  ...campaignListSearchChecks,
  ...campaignListLimitChecks,
  ...campaignChecks,
  ...searchReportChecks,
  ...xmlStatsChecks,
  ...remoteAccessChecks,
  ...remoteToolChecks,
  ...writingChecks,
];
