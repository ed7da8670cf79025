import type { CampaignFilter } from './campaigns/campaigns.ts';
import type { LedgerFilter } from './proposals/ledger.ts';

// Separate from the schemas, because the pages use these constants and must not bundle the schema library.

export const everyRow: LedgerFilter = {
  proposalId: null,
  profileId: null,
  agentId: null,
  about: null,
  cid: null,
  fromMs: null,
  untilMs: null,
};

/** The filter with which every start begins. */
export const noFilter: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'desc' };

export const markSigns = ['good', 'watch', 'bad', 'note'] as const;

export type MarkSign = (typeof markSigns)[number];

export const maxNoteLength = 500;
export const maxViewNameLength = 60;

/** Max rows of a drill-down. Its panel is for reading and has no virtual scrolling. */
export const maxDrillRows = 400;

export const maxMarks = 1_000;
export const maxViews = 50;

export const labelColors = ['grey', 'blue', 'violet', 'pink', 'brown', 'olive'] as const;

export type LabelColor = (typeof labelColors)[number];

export const maxLabels = 100;
export const maxLabelNameLength = 40;

export const maxCampaignNoteLength = 2_000;

export const deletionWord = 'delete';

/** Max cells of the campaign list that one edit changes. More campaigns are changed on the page of bulk changes. */
export const maxEditedCells = 200;
