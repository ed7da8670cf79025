import { z } from 'zod';
import { campaignEditSchema, campaignRowSchema, listLimits, sortColumns } from '../../contract/index.ts';
import { campaignConditionsSchema, maxFound, maxSearchText } from '../../find/index.ts';
import { cid, nothing, reasonSchema, request } from '../define.ts';
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
  /** When the service answered; of kept rows, the oldest of them. */
  readAtMs: z.number(),
  /** The service is away: these rows are from earlier reads, and only what was read is found. Null for its own answer. */
  cached: z.object({ because: z.string(), next: z.string() }).nullable(),
});

export type CampaignPage = z.infer<typeof campaignPageSchema>;

export const campaignDetailSchema = z.object({
  edit: campaignEditSchema,
  readAtMs: z.number(),
  cached: z.object({ because: z.string(), next: z.string() }).nullable(),
  /** The proposal whose unknown outcome locks this campaign, or null. */
  lockedBy: z.string().nullable(),
  waiting: z.array(z.string()),
});

export type CampaignDetail = z.infer<typeof campaignDetailSchema>;

export const waitingDecisionSchema = z.object({ id: z.string(), title: z.string(), cids: z.array(z.int()) });

export type WaitingDecision = z.infer<typeof waitingDecisionSchema>;

/** A change of a campaign that was sent through this app. Title and proposer are inert foreign text. */
export const campaignChangeSchema = proposalSchema.pick({ id: true, title: true, state: true }).extend({
  by: askerSchema,
  atMs: z.number(),
  /** Null where it takes nothing back and cannot be taken back. */
  undo: undoSchema.nullable(),
});

export type CampaignChange = z.infer<typeof campaignChangeSchema>;

/** Campaigns that have the same status and got it in the same way. `origin` is null for a status that stops nothing. */
export const statusGroupSchema = z.object({
  status: z.int(),
  origin: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('app'), by: askerSchema, lastAtMs: z.number() }),
      z.object({ kind: z.literal('elsewhere') }),
      /** A change that this app sent may have set it, and no read told. */
      z.object({ kind: z.literal('unknown') }),
    ])
    .nullable(),
  cids: z.array(z.int()),
});

/** Values that stand in campaigns of the account, as far as they were read: foreign text. */
export const campaignValuesSchema = z.object({
  campaigns: z.int(),
  /** By list field, the values with the number of campaigns that have them, the most frequent first; countries also from the list. */
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
  /** Waiting changes of campaigns, newest first; a batch stands for its members. Changes with `proposals.changed` or `profiles.changed`. */
  'campaigns.waiting': request(nothing, z.object({ items: z.array(waitingDecisionSchema) })),
  /** Pauses that can be taken back, newest first. Changes with `proposals.changed` or `profiles.changed`. */
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
  /** One proposal that returns paused campaigns to their earlier statuses. Fails with `nothing_to_reverse`, or as `campaigns.proposeStatus`. */
  'campaigns.proposeReturn': request(pauseId, proposalSchema),
  'campaigns.dismissReturn': request(pauseId, nothing),
  /** The last ten changes of a campaign through this app, newest first. Changes with `proposals.changed`. */
  'campaigns.changes': request(z.object({ cid }), z.object({ items: z.array(campaignChangeSchema) })),
  /** Campaigns by status and origin, read now; those stopped through this app first. Fails with `campaign_not_found`. */
  'campaigns.statusGroups': request(
    z.object({ cids: z.array(cid).min(1).max(maxFound) }),
    z.object({ groups: z.array(statusGroupSchema) }),
  ),
  /** Values to choose from, out of the reads that are kept: nothing is asked of the service. */
  'campaigns.values': request(nothing, campaignValuesSchema),
  'campaigns.get': request(z.object({ cid }), campaignDetailSchema),
  /** The types enabled for the tenant, for the type filter: code and name. Empty when no campaign could be read yet. */
  'campaigns.types': request(nothing, z.array(z.object({ code: z.int(), name: z.string() }))),
  /** One proposal for one or many campaigns; the service takes all or none. `running` skips those that do not run. */
  'campaigns.proposeStatus': request(
    z.object({
      cids: z.array(cid).min(1).max(maxFound),
      status: z.int().min(0).max(4),
      meant: z.enum(['all', 'running']).exactOptional(),
    }),
    proposalSchema,
  ),
};

/** Campaigns that could not be read. `isUnknown`: the account has no such campaign. */
export const unreadCampaignsSchema = z.array(z.object({ cid, message: z.string(), isUnknown: z.boolean() }));

export const fullStateSchema = z.object({
  isRunning: z.boolean(),
  done: z.int(),
  total: z.int(),
  failed: unreadCampaignsSchema,
  failure: reasonSchema.nullable(),
  /** Number of campaigns of the active profile that were read in full, and when the oldest of them was; null for none. */
  loaded: z.int(),
  oldestReadAtMs: z.number().nullable(),
});

export type FullState = z.infer<typeof fullStateSchema>;

const coverageSchema = z.object({
  /** True if a condition needs campaigns in full. */
  needsFull: z.boolean(),
  total: z.int(),
  loaded: z.int(),
  /** Campaigns that meet every condition of the list, and were not read in full: each may be one more result. */
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

export const findingApi = {
  /** A page of matching campaigns. Rows are read once and cached until campaigns change; `again` reads them now. */
  'campaigns.find': request(
    query.extend({
      page: z.int().min(listLimits.firstPage),
      perPage: z.int().min(listLimits.minPerPage).max(listLimits.maxPerPage),
      again: z.boolean(),
    }),
    foundPageSchema,
  ),
  /** Number of campaigns read so far for a search that reads the whole list; null while none does. Progress is reported by `campaigns.searching`. */
  'campaigns.searchState': request(nothing, z.object({ read: z.int().nullable() })),
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
  /** Reads campaigns in full, all with null, in place of a running load. `again` repeats earlier reads. `campaigns.loading` reports progress. */
  'campaigns.loadFull': request(
    z.object({ cids: z.array(cid).min(1).max(maxFound).nullable(), again: z.boolean() }),
    nothing,
  ),
  'campaigns.fullState': request(nothing, fullStateSchema),
  'campaigns.stopLoading': request(nothing, nothing),
};
