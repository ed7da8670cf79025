import type { LedgerFilter } from './ledger.ts';

/** The filter of the ledger that leaves nothing out. */
export const everyRow: LedgerFilter = {
  proposalId: null,
  profileId: null,
  agentId: null,
  about: null,
  cid: null,
  fromMs: null,
  untilMs: null,
};
