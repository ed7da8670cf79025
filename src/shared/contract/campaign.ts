import { z } from 'zod';
import type { JsonObject, JsonValue } from '../lib/json/json-value.ts';
import { targetingLists } from './codes.ts';

/** One enabled campaign type of the tenant (contract §2.3). */
export const campaignTypeSchema = z.looseObject({
  name: z.string(),
  pricing: z.string(),
  minBid: z.number(),
  maxBid: z.number(),
});

export type CampaignType = z.infer<typeof campaignTypeSchema>;

/** The tenant's types, keyed by the type code as a string (contract §2.3). */
export const campaignTypesSchema = z.record(z.string(), campaignTypeSchema);

export type CampaignTypes = z.infer<typeof campaignTypesSchema>;

/** The tenant's settings (contract §2.3). */
export const settingsSchema = z.looseObject({
  enable_bidcontrol: z.boolean(),
  enable_freq_cap: z.boolean(),
  enable_traffic_speed: z.boolean(),
  edit_clickurl: z.boolean(),
  min_budget: z.number(),
  postbackurl: z.string(),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The context that a campaign is validated against; always of the same read as the campaign (contract §2.3). */
export interface CampaignContext {
  types: CampaignTypes;
  settings: Settings;
}

/** `data` of GET one, checked for shape. The campaign itself stays raw JSON: parse for display, never re-serialise. */
export const campaignEditSchema = z.looseObject({
  campaign: z.custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
  campaign_types: campaignTypesSchema,
  settings: settingsSchema,
});

export type CampaignEdit = z.infer<typeof campaignEditSchema>;

/** The rich image object of Push creatives (contract §2.4). */
export const imageSchema = z.looseObject({ url: z.string() });

const flag = z.int().min(0).max(1);
const values = z.array(z.union([z.string(), z.number()]));

/** A flag and its list each: 1 means all values and the list is `[]`, 0 means the listed ones (contract §2.4). */
const selectors = Object.fromEntries(
  targetingLists.flatMap((name): [string, z.ZodType][] => [
    [`${name}_enabled`, flag],
    [name, values],
  ]),
);

/** The complete campaign (contract §2.4), for descriptions; its rules are in `shared/campaign`. Unknown members are kept. */
export const campaignSchema = z
  .looseObject({
    cid: z.int().describe('The path cid is authoritative on update.'),
    uid: z.int().describe('The advertiser; it reaches no other account.'),
    name: z.string().meta({ maxLength: 255 }),
    type: z.int().describe('A key of campaign_types.'),
    status: z.int().min(0).max(4),
    payout: z.number().describe('The bid, within minBid and maxBid of the type.'),
    clickurl: z.string().nullable().describe('CPC and CPV types; URL macros are kept as they are.'),
    website: z.string().nullable().describe('CPM types.'),
    title: z.string().nullable().describe('Contextual and Push types: at most 25 characters.'),
    description: z.string().nullable().describe('Contextual and Push types: at most 75 characters.'),
    icon: z.union([imageSchema, z.string(), z.null()]).describe('Push types: an image object.'),
    image: z.union([imageSchema, z.string(), z.null()]).describe('Push types: an image object.'),
    enable_budget: flag,
    d_revenue: z.number().describe('Daily budget.'),
    t_revenue: z.number().describe('Total budget; 0 means unlimited.'),
    enable_time: flag,
    create: z.string().nullable().describe('First day of the flight, YYYY-MM-DD.'),
    create_time: z.string().nullable().describe('HH:MM.'),
    expire: z.string().nullable().describe('Last day of the flight; empty means no end.'),
    expire_time: z.string().nullable(),
    enable_shedule: flag.describe('This spelling is the contract.'),
    shedule: z.array(flag).min(168).max(168).describe('Index = day × 24 + hour, Monday first.'),
    shedule_timezone: z.string(),
    freq_cap: z.int().min(0),
    freq_counter: z.int().min(0),
    traffic_speed: z.int().min(0),
    traffic_speed_counter: z.int().min(0).describe('At least 1000 while pacing is on.'),
    ...selectors,
    keywords_enabled: flag,
    keywords_whitelist: z.string(),
    keywords_blocklist: z.string(),
    bidControl: z.array(z.looseObject({})),
  })
  .describe('Every key of the GET has to come back in the PUT, the ones not named here included.');

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

/** One field of a campaign that a change moves, as plain values (contract §4.3, step 2). */
export interface FieldMove {
  field: string;
  from: JsonValue;
  to: JsonValue;
}
