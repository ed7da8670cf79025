import { z } from 'zod';
import { campaignEditSchema, campaignRowSchema, listLimits, sortColumns } from '../../contract/index.ts';
import { campaignConditionsSchema, maxFound, maxSearchText } from '../../find/index.ts';
import { cid, momentSchema, nothing, reasonSchema, request } from '../define.ts';
import { askerSchema, proposalSchema, undoSchema } from '../proposals/proposals.ts';
import { atMost } from '../../lib/inert-text.ts';

/** The filter of the list. Empty `types` means every type. */
export const campaignFilterSchema = z.object({
  query: z.string().refine(...atMost(maxSearchText)),
  status: z.int().min(0).max(4).nullable(),
  types: z.array(z.int()).max(100),
  sort: z.enum(sortColumns),
  order: z.enum(['asc', 'desc']),
});

export type CampaignFilter = z.infer<typeof campaignFilterSchema>;

export const campaignPageSchema = z.object({
  rows: z.array(campaignRowSchema),
  total: z.int(),
  page: z.int(),
  /** The time of the service's answer. For cached rows, the time of the oldest row. */
  readAtMs: z.number(),
  /**
   * Set while the service is unreachable: the rows come from the cache, so campaigns that were never read are missing.
   * Null for an answer of the service.
   */
  cached: z.object({ because: z.string(), next: z.string() }).nullable(),
});

export type CampaignPage = z.infer<typeof campaignPageSchema>;

export const campaignDetailSchema = z.object({
  edit: campaignEditSchema,
  readAtMs: z.number(),
  cached: z.object({ because: z.string(), next: z.string() }).nullable(),
  lockedBy: z.string().nullable(),
  waiting: z.array(z.string()),
});

export type CampaignDetail = z.infer<typeof campaignDetailSchema>;

export const waitingDecisionSchema = z.object({ id: z.string(), title: z.string(), cids: z.array(z.int()) });

export type WaitingDecision = z.infer<typeof waitingDecisionSchema>;

/** A change of a campaign that was sent through this app. `title` and `by` contain untrusted text, made inert. */
export const campaignChangeSchema = proposalSchema.pick({ id: true, title: true, state: true }).extend({
  by: askerSchema,
  atMs: z.number(),
  /** Null if the change neither undoes another change nor can be undone. */
  undo: undoSchema.nullable(),
});

export type CampaignChange = z.infer<typeof campaignChangeSchema>;

/** Campaigns with equal status and origin. `origin` is null for a status that stops nothing. */
export const statusGroupSchema = z.object({
  status: z.int(),
  origin: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('app'), by: askerSchema, lastAtMs: z.number() }),
      z.object({ kind: z.literal('elsewhere') }),
      /** A change sent by this app may have set the status, and no read has confirmed it. */
      z.object({ kind: z.literal('unknown') }),
    ])
    .nullable(),
  cids: z.array(z.int()),
});

/** Values that occur in the account's cached campaigns. The values are untrusted text. */
export const campaignValuesSchema = z.object({
  campaigns: z.int(),
  /**
   * For each list field, its values and the number of campaigns that have them, the most frequent value first.
   * Countries are also taken from the campaign list.
   */
  lists: z.record(
    z.string(),
    z.array(z.object({ value: z.union([z.string(), z.number()]), campaigns: z.int() })),
  ),
  macros: z.array(z.object({ macro: z.string(), campaigns: z.int() })),
});

const pauseId = z.object({ proposalId: z.string().min(1).max(100) });

export const campaignsApi = {
  'campaigns.page': request(
    z.object({
      filter: campaignFilterSchema,
      page: z.int().min(listLimits.firstPage),
      perPage: z.int().min(listLimits.minPerPage).max(listLimits.maxPerPage),
    }),
    campaignPageSchema,
  ),
  /**
   * Undecided changes of campaigns, newest first. A batch appears once, for all its members. Changes with
   * `proposals.changed` or `profiles.changed`.
   */
  'campaigns.waiting': request(nothing, z.object({ items: z.array(waitingDecisionSchema) })),
  /**
   * Pauses that can be undone, newest first, without those whose return is planned. Changes with `proposals.changed`,
   * `schedules.changed` or `profiles.changed`.
   */
  'campaigns.returns': request(
    nothing,
    z.object({
      items: z.array(
        z.object({
          proposalId: z.string(),
          atMs: z.number(),
          pausedCount: z.int(),
          cids: z.array(z.int()),
        }),
      ),
    }),
  ),
  /**
   * Proposes one change that resumes paused campaigns with their earlier statuses. Fails with `nothing_to_reverse`, or
   * as `campaigns.proposeStatus` does.
   */
  'campaigns.proposeReturn': request(pauseId, proposalSchema),
  'campaigns.dismissReturn': request(pauseId, nothing),
  /** The last ten changes of a campaign that were sent through this app, newest first. Changes with `proposals.changed`. */
  'campaigns.changes': request(z.object({ cid }), z.object({ items: z.array(campaignChangeSchema) })),
  /**
   * Reads the campaigns and groups them by status and origin. Campaigns that were stopped through this app come first.
   * Fails with `campaign_not_found`.
   */
  'campaigns.statusGroups': request(
    z.object({ cids: z.array(cid).min(1).max(maxFound) }),
    z.object({ groups: z.array(statusGroupSchema) }),
  ),
  /** Values to choose from, taken from the cache. Sends no request to the service. */
  'campaigns.values': request(nothing, campaignValuesSchema),
  'campaigns.get': request(z.object({ cid }), campaignDetailSchema),
  /** The types enabled for the tenant, for the type filter: code and name. Empty if no campaign has been read yet. */
  'campaigns.types': request(nothing, z.array(z.object({ code: z.int(), name: z.string() }))),
  /**
   * Proposes one change of status for one or many campaigns. The service accepts all of them or none. `running` skips campaigns
   * that do not run. `returnAtMs` makes it a timed pause of the running campaigns: their return is planned when the pause is
   * sent. Fails with `return_time_passed` for a time in the past.
   */
  'campaigns.proposeStatus': request(
    z.object({
      cids: z.array(cid).min(1).max(maxFound),
      status: z.int().min(0).max(4),
      targeted: z.enum(['all', 'running']).exactOptional(),
      returnAtMs: momentSchema.exactOptional(),
    }),
    proposalSchema,
  ),
};

/** Campaigns that could not be read. `isUnknown` means that the account has no such campaign. */
export const unreadCampaignsSchema = z.array(z.object({ cid, message: z.string(), isUnknown: z.boolean() }));

export const fullStateSchema = z.object({
  isRunning: z.boolean(),
  done: z.int(),
  total: z.int(),
  failed: unreadCampaignsSchema,
  failure: reasonSchema.nullable(),
  /**
   * `loaded` is the number of campaigns of the active profile that were read in full. `oldestReadAtMs` is the oldest of
   * these reads, null if there are none.
   */
  loaded: z.int(),
  oldestReadAtMs: z.number().nullable(),
});

export type FullState = z.infer<typeof fullStateSchema>;

const coverageSchema = z.object({
  /** True if a condition needs campaigns that were read in full. */
  needsFull: z.boolean(),
  total: z.int(),
  loaded: z.int(),
  /**
   * Number of campaigns that meet every condition on list rows but were not read in full, so each of them may be a further
   * result.
   */
  unknown: z.int(),
  oldestReadAtMs: z.number().nullable(),
});

export const foundPageSchema = campaignPageSchema.extend({ coverage: coverageSchema });

export type FoundPage = z.infer<typeof foundPageSchema>;
export type Coverage = z.infer<typeof coverageSchema>;

export const lastChangeSchema = proposalSchema.pick({ id: true, title: true, state: true }).extend({
  cid,
  by: askerSchema,
  atMs: z.number(),
});

export type LastChangeView = z.infer<typeof lastChangeSchema>;

const query = z.object({ filter: campaignFilterSchema, conditions: campaignConditionsSchema });

const flightSchema = z.object({
  cid: z.int(),
  /** Empty without a flight or without this date. Untrusted text. */
  create: z.string(),
  expire: z.string(),
});

export type FlightView = z.infer<typeof flightSchema>;

export const findingApi = {
  /** A page of matching campaigns. Rows are cached until campaigns change. `again` reads them anew. */
  'campaigns.find': request(
    query.extend({
      page: z.int().min(listLimits.firstPage),
      perPage: z.int().min(listLimits.minPerPage).max(listLimits.maxPerPage),
      again: z.boolean(),
    }),
    foundPageSchema,
  ),
  /**
   * Number of campaigns that the running search of the complete list has read so far. Null if no such search runs.
   * `campaigns.searching` reports progress.
   */
  'campaigns.searchState': request(nothing, z.object({ read: z.int().nullable() })),
  /**
   * The ids of all campaigns that match now, at most 10,000, in the order of the list. Later reads do not change a
   * selection made from them.
   */
  'campaigns.foundIds': request(
    query,
    z.object({
      items: z.array(z.object({ cid: z.int(), status: z.int() })).max(maxFound),
      total: z.int(),
      readAtMs: z.number(),
    }),
  ),
  /** The newest change of each of these campaigns that has one, for the rows on screen. Changes with `proposals.changed`. */
  'campaigns.lastChanges': request(
    z.object({ cids: z.array(cid).min(1).max(listLimits.maxPerPage) }),
    z.object({ items: z.array(lastChangeSchema) }),
  ),
  /**
   * The start and end of these campaigns, for the rows on screen. Reads those in full that were never read; campaigns
   * that cannot be read are absent.
   */
  'campaigns.flights': request(
    z.object({ cids: z.array(cid).min(1).max(listLimits.maxPerPage) }),
    z.object({ items: z.array(flightSchema) }),
  ),
  /**
   * Reads campaigns in full; null means all. Replaces a running load. `again` repeats earlier reads.
   * `campaigns.loading` reports progress.
   */
  'campaigns.loadFull': request(
    z.object({ cids: z.array(cid).min(1).max(maxFound).nullable(), again: z.boolean() }),
    nothing,
  ),
  'campaigns.fullState': request(nothing, fullStateSchema),
  'campaigns.stopLoading': request(nothing, nothing),
};
