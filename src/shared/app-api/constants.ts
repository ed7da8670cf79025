import type { LedgerFilter } from './ledger.ts';

// Apart from the schemas: the pages use them and carry no schemas.

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

/** Signs of a mark. A `note` is a text alone. */
export const markSigns = ['good', 'watch', 'bad', 'note'] as const;

export type MarkSign = (typeof markSigns)[number];

/** Characters of a mark's note and of a view's name. */
export const maxNoteLength = 500;
export const maxViewNameLength = 60;

/** Marks and views of one profile. */
export const maxMarks = 1_000;
export const maxViews = 50;
