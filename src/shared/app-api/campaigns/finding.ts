import { z } from 'zod';
import { campaignConditionsSchema, maxFound } from '../../find/index.ts';
import { listLimits } from '../../contract/index.ts';
import { campaignFilterSchema, campaignPageSchema } from './campaigns.ts';
import { request } from '../define.ts';
import { askerSchema, proposalSchema } from '../proposals/proposals.ts';

const cid = z.int().positive();

/** Campaigns that were read in full since the app started, and the progress of the load that runs or ran last. */
export const fullStateSchema = z.object({
  isRunning: z.boolean(),
  done: z.int(),
  total: z.int(),
  failed: z.array(z.object({ cid, message: z.string(), isUnknown: z.boolean() })),
  /** The reason why the load ended early, in words; null if it did not. */
  failure: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** Number of campaigns of the active profile that were read in full, and when the oldest of them was; null for none. */
  loaded: z.int(),
  oldestReadAtMs: z.number().nullable(),
});

export type FullState = z.infer<typeof fullStateSchema>;

/** How much of the account a search could see. */
const coverageSchema = z.object({
  /** True if a condition needs campaigns in full. */
  needsFull: z.boolean(),
  /** Campaigns of the account, and those of them that were read in full. */
  total: z.int(),
  loaded: z.int(),
  /** Campaigns that meet every condition of the list, and were not read in full: each may be one more result. */
  unknown: z.int(),
  /** When the oldest read in full was made; null for none. */
  oldestReadAtMs: z.number().nullable(),
});

export const foundPageSchema = campaignPageSchema.extend({ coverage: coverageSchema });

export type FoundPage = z.infer<typeof foundPageSchema>;
export type Coverage = z.infer<typeof coverageSchema>;

/** The newest change of a campaign that went through this app. */
export const lastChangeSchema = proposalSchema.pick({ id: true, title: true, state: true }).extend({
  cid,
  by: askerSchema,
  /** When it was sent. */
  atMs: z.number(),
});

export type LastChangeView = z.infer<typeof lastChangeSchema>;

const query = z.object({ filter: campaignFilterSchema, conditions: campaignConditionsSchema });

export const findingApi = {
  /**
   * A page of the campaigns that meet the filter and every condition. All rows of the account are read once and kept with their age until
   * campaigns change; `again` reads them now.
   */
  'campaigns.find': request(
    query.extend({
      page: z.int().min(listLimits.firstPage),
      perPage: z.int().min(listLimits.minPerPage).max(listLimits.maxPerPage),
      again: z.boolean(),
    }),
    foundPageSchema,
  ),
  /** Number of campaigns read so far for a search that reads the whole list; null while none does. Progress is reported by `campaigns.searching`. */
  'campaigns.searchState': request(z.object({}), z.object({ read: z.int().nullable() })),
  /** Every campaign that is found at this moment, for a selection that later reads do not change; at most 10,000, in the list's order. */
  'campaigns.foundIds': request(
    query,
    z.object({
      items: z.array(z.object({ cid: z.int(), status: z.int() })).max(maxFound),
      total: z.int(),
      readAtMs: z.number(),
    }),
  ),
  /** The newest change of each campaign that has one, for a screenful of rows. Changes when `proposals.changed` is reported. */
  'campaigns.lastChanges': request(
    z.object({ cids: z.array(cid).min(1).max(listLimits.maxPerPage) }),
    z.object({ items: z.array(lastChangeSchema) }),
  ),
  /**
   * Begins to read campaigns of the active profile in full, or all of them with null, and takes the place of a load that runs. Those that
   * were read before are read anew only if `again` is true. Progress is reported by `campaigns.loading`.
   */
  'campaigns.loadFull': request(
    z.object({ cids: z.array(cid).min(1).max(maxFound).nullable(), again: z.boolean() }),
    z.object({}),
  ),
  'campaigns.fullState': request(z.object({}), fullStateSchema),
  /** Ends the load; what was read stays. */
  'campaigns.stopLoading': request(z.object({}), z.object({})),
};
