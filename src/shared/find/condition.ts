import { z } from 'zod';
import { budgetColumns, findablePricings, maxFound, maxSearchText } from './text.ts';
import { atMost } from '../lib/inert-text.ts';

const cid = z.int().positive();
const text = z
  .string()
  .trim()
  .min(1)
  .refine(...atMost(maxSearchText));
const amount = z.number().min(0).max(1e12);

const listConditions = [
  z.object({ kind: z.literal('status'), statuses: z.array(z.int().min(0).max(4)).min(1).max(5) }),
  z.object({ kind: z.literal('type'), names: z.array(z.string().max(255)).min(1).max(100) }),
  z.object({ kind: z.literal('name'), is: z.enum(['contains', 'lacks']), text }),
  z.object({ kind: z.literal('ids'), cids: z.array(cid).min(1).max(maxFound) }),
  z.object({ kind: z.literal('bid'), min: amount.nullable(), max: amount.nullable() }),
  /** Compares the effective limit, so that an unlimited budget is above every amount. */
  z.object({
    kind: z.literal('budget'),
    column: z.enum(budgetColumns),
    is: z.enum(['above', 'below']),
    amount,
  }),
  /** True for a campaign that targets one of the countries by name. `orAll` adds campaigns that target all countries. */
  z.object({ kind: z.literal('country'), codes: z.array(text).min(1).max(300), orAll: z.boolean() }),
  z.object({ kind: z.literal('countryTargeting'), is: z.enum(['all', 'custom']) }),
  z.object({ kind: z.literal('bidControls'), has: z.boolean() }),
  /**
   * True for a campaign that can still spend today; with `limit: 'none'`, only if nothing limits it. A campaign that was not
   * read in full is judged by its list row.
   */
  z.object({ kind: z.literal('spendsToday'), limit: z.enum(['any', 'none']) }),
] as const;

const fullConditions = [
  /** `runs` means running now, by status, flight and weekly schedule, each in its own zone. */
  z.object({ kind: z.literal('runsNow'), runs: z.boolean() }),
  z.object({ kind: z.literal('endsWithin'), days: z.int().min(0).max(3_650) }),
  z.object({ kind: z.literal('noEnd') }),
  z.object({ kind: z.literal('pricing'), pricings: z.array(z.enum(findablePricings)).min(1).max(4) }),
  /** The host of the click URL or of the website is `domain` or a subdomain. The website is also a column of the list. */
  z.object({ kind: z.literal('domain'), domain: text }),
  /**
   * True if a list contains, or lacks, this member. A `field` of null means any list. `orAll` includes dimensions that target
   * all values.
   */
  z.object({
    kind: z.literal('member'),
    field: z.string().min(1).max(100).nullable(),
    is: z.enum(['contains', 'lacks']),
    member: text,
    orAll: z.boolean(),
  }),
] as const;

const localConditions = [
  z.object({
    kind: z.literal('label'),
    labels: z.array(z.string().min(1).max(100)).min(1).max(100),
    is: z.enum(['any', 'none']),
  }),
  z.object({ kind: z.literal('note'), has: z.boolean() }),
] as const;

/** One condition of a search for campaigns. A campaign has to meet every condition of the search. */
export const campaignConditionSchema = z.discriminatedUnion('kind', [
  ...listConditions,
  ...fullConditions,
  ...localConditions,
]);

export type CampaignCondition = z.infer<typeof campaignConditionSchema>;

export const campaignConditionsSchema = z.array(campaignConditionSchema).max(30);
