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

/** The context for validating a campaign. It must come from the same read as the campaign (contract §2.3). */
export interface CampaignContext {
  types: CampaignTypes;
  settings: Settings;
}

/**
 * `data` of a single-campaign read, checked for its shape. The campaign stays raw JSON: parse it for display, never
 * re-serialise it.
 */
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

const entries: Readonly<Record<(typeof targetingLists)[number], string | number>> = {
  geo: 'DE',
  os: 'Android',
  os_versions: 'Android 14',
  browsers: 'Chrome',
  browser_versions: 'Chrome 120+',
  devices: 'mobile',
  categories: 'news',
  lang: 'en',
  connection: 'wifi',
  traffic_type: 'in-app',
  exchanges: 12,
};

/** Pairs of a flag and a list: with 1 all values count and the list is `[]`, with 0 the listed ones (contract §2.4). */
const selectors = Object.fromEntries(
  targetingLists.flatMap((name): [string, z.ZodType][] => [
    [`${name}_enabled`, flag.describe('1: all values; 0: those of the list.')],
    [name, values.meta({ examples: [[entries[name]]] })],
  ]),
);

/**
 * The complete campaign (contract §2.4), for descriptions of tools. The rules are in `shared/campaign`. Unknown members
 * are kept.
 */
export const campaignSchema = z
  .looseObject({
    cid: z.int().describe('The path cid is authoritative on update.'),
    uid: z.int().describe('The advertiser; it reaches no other account.'),
    name: z.string().meta({ maxLength: 255, examples: ['Spring sale DE'] }),
    type: z.int().meta({ description: 'A key of campaign_types.', examples: [2] }),
    status: z
      .int()
      .min(0)
      .max(4)
      .describe('0 Pending (set by the service only), 1 Active, 2 Suspended, 3 Paused, 4 Scheduled.'),
    payout: z
      .number()
      .meta({ description: 'The bid, USD, within minBid and maxBid of the type.', examples: [0.05] }),
    clickurl: z
      .string()
      .nullable()
      .meta({
        description: 'CPC and CPV types; URL macros are kept as they are.',
        examples: ['https://shop.example/?id={click_id}'],
      }),
    website: z
      .string()
      .nullable()
      .meta({ description: 'CPM types: the main domain.', examples: ['https://shop.example'] }),
    title: z.string().nullable().describe('Contextual and Push types: at most 25 characters.'),
    description: z.string().nullable().describe('Contextual and Push types: at most 75 characters.'),
    icon: z.union([imageSchema, z.string(), z.null()]).describe('Push types: an image object.'),
    image: z.union([imageSchema, z.string(), z.null()]).describe('Push types: an image object.'),
    enable_budget: flag.describe('1: d_revenue and t_revenue limit; 0: no limit.'),
    d_revenue: z.number().meta({ description: 'Daily budget, USD.', examples: [50] }),
    t_revenue: z.number().meta({ description: 'Total budget, USD; 0 means unlimited.', examples: [1500] }),
    enable_time: flag.describe('1: start and end count; 0: they do not.'),
    create: z
      .string()
      .nullable()
      .meta({ description: 'First day of the flight, YYYY-MM-DD.', examples: ['2026-12-01'] }),
    create_time: z
      .string()
      .nullable()
      .meta({ description: 'HH:MM.', examples: ['09:30'] }),
    expire: z
      .string()
      .nullable()
      .meta({
        description: 'Last day of the flight, YYYY-MM-DD; empty means no end.',
        examples: ['2026-12-31'],
      }),
    expire_time: z
      .string()
      .nullable()
      .meta({ description: 'HH:MM.', examples: ['23:59'] }),
    enable_shedule: flag.describe('1: shedule counts. This spelling is the contract.'),
    shedule: z.array(flag).min(168).max(168).describe('Index = day × 24 + hour, Monday first; 1 delivers.'),
    shedule_timezone: z.string().meta({ examples: ['Europe/Berlin'] }),
    freq_cap: z.int().min(0).describe('The mode of the frequency cap; 0 is off.'),
    freq_counter: z
      .int()
      .min(0)
      .meta({ description: 'Times; at least 1 while it is on.', examples: [3] }),
    traffic_speed: z.int().min(0).describe('The mode of pacing; 0 is off.'),
    traffic_speed_counter: z
      .int()
      .min(0)
      .meta({ description: 'At least 1000 while pacing is on.', examples: [5000] }),
    ...selectors,
    keywords_enabled: flag.describe('1: both keyword lists count.'),
    keywords_whitelist: z.string().meta({ examples: ['shoes,boots'] }),
    keywords_blocklist: z.string().meta({ examples: ['free'] }),
    bidControl: z.array(z.looseObject({})).describe('Whole, with the objects that the service gave.'),
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

/** One field that a change of a campaign moves, as plain values (contract §4.3, step 2). */
export interface FieldMove {
  field: string;
  from: JsonValue;
  to: JsonValue;
}
