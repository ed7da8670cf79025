import { z } from 'zod';
import type { JsonObject } from '../lib/json/json-value.ts';

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

/** What a campaign is validated against; always of the same read as the campaign (contract §2.3). */
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
