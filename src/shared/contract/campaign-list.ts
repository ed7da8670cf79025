import { z } from 'zod';

/** One row of the campaign list (contract §2.2). A row is not an editable campaign. Unknown members are kept. */
export const campaignRowSchema = z.looseObject({
  cid: z.int(),
  uid: z.int(),
  type_name: z.string(),
  name: z.string(),
  website: z.string(),
  geo: z.array(z.string()),
  payout: z.number(),
  d_revenue: z.number(),
  t_revenue: z.number(),
  daily_budget: z.number(),
  total_budget: z.number(),
  bid_control_count: z.int(),
  status: z.int().min(0).max(4),
  status_name: z.string(),
});

export type CampaignRow = z.infer<typeof campaignRowSchema>;

/** `data` of the list answer (contract §2.2). */
export const campaignListSchema = z.looseObject({
  data: z.array(campaignRowSchema),
  total: z.int().min(0),
  currentPage: z.int().min(1),
  totalPages: z.int().min(0),
});

export type CampaignList = z.infer<typeof campaignListSchema>;

/** The columns that the campaign table can be sorted by (contract §4.1, "a field used by the campaign table"). */
export const sortColumns = [
  'cid',
  'uid',
  'type_name',
  'name',
  'website',
  'geo',
  'payout',
  'd_revenue',
  't_revenue',
  'daily_budget',
  'total_budget',
  'bid_control_count',
  'status',
  'status_name',
] as const;

export type SortColumn = (typeof sortColumns)[number];

/** Limits of the list (contract §8). */
export const listLimits = { firstPage: 1, minPerPage: 1, maxPerPage: 200, defaultPerPage: 20 } as const;
