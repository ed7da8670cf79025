import type { LedgerFilter } from './proposals/ledger.ts';

// Apart from the schemas: the pages use them and carry no schemas.

export const everyRow: LedgerFilter = {
  proposalId: null,
  profileId: null,
  agentId: null,
  about: null,
  cid: null,
  fromMs: null,
  untilMs: null,
};

export const markSigns = ['good', 'watch', 'bad', 'note'] as const;

export type MarkSign = (typeof markSigns)[number];

export const maxNoteLength = 500;
export const maxViewNameLength = 60;

/** Rows of a drill-down: a panel is read, and is no table to scroll through. */
export const maxDrillRows = 400;

export const maxMarks = 1_000;
export const maxViews = 50;

export const labelColors = ['grey', 'blue', 'violet', 'pink', 'brown', 'olive'] as const;

export type LabelColor = (typeof labelColors)[number];

export const maxLabels = 100;
export const maxLabelNameLength = 40;

export const maxCampaignNoteLength = 2_000;

export const deletionWord = 'delete';
