import { z } from 'zod';
import { imageSchema } from './campaign-edit.ts';
import { targetingLists } from './targeting-lists.ts';

const flag = z.int().min(0).max(1);
const values = z.array(z.union([z.string(), z.number()]));

/** A flag and its list each: 1 means all values and the list is `[]`, 0 means the listed ones (contract §2.4). */
const selectors = Object.fromEntries(
  targetingLists.flatMap((name): [string, z.ZodType][] => [
    [`${name}_enabled`, flag],
    [name, values],
  ]),
);

/**
 * The complete campaign (contract §2.4), for descriptions: its rules depend on type and settings and are those of
 * `shared/campaign`. Traffic filters and whatever else the service returns are kept as they are.
 */
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
