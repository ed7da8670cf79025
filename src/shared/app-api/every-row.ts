import type { LedgerFilter } from './ledger.ts';

// Apart from the schemas: the pages use it and carry no schemas.

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
