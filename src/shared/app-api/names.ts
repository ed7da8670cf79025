import type { AppRequest } from './index.ts';

/** The names of every request, for the preload, which carries no schemas. A test compares them with `appApi`. */
export const appRequestNames = [
  'session.get',
  'session.status',
  'campaigns.page',
  'campaigns.get',
  'campaigns.types',
  'campaigns.proposeUpdate',
  'campaigns.proposeStatus',
  'proposals.list',
  'proposals.get',
  'proposals.review',
  'proposals.withdraw',
  'proposals.settle',
  'ledger.list',
  'ledger.report',
  'ledger.verify',
] as const satisfies readonly AppRequest[];
