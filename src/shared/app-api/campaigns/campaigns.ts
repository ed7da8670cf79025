import { z } from 'zod';
import { campaignEditSchema, campaignRowSchema, listLimits, sortColumns } from '../../contract/index.ts';
import { maxFound, maxSearchText } from '../../find/index.ts';
import { request } from '../define.ts';
import { askerSchema, proposalSchema, undoSchema } from '../proposals/proposals.ts';
import { atMost } from '../../lib/inert-text.ts';

const cid = z.int().positive();

/** The filter of the list. Empty `types` means every type. */
export const campaignFilterSchema = z.object({
  query: z.string().refine(...atMost(maxSearchText)),
  status: z.int().min(0).max(4).nullable(),
  types: z.array(z.int()).max(100),
  sort: z.enum(sortColumns),
  order: z.enum(['asc', 'desc']),
});

export type CampaignFilter = z.infer<typeof campaignFilterSchema>;

/** One page of the list, as the service gave it, or as it was kept from earlier reads. */
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

/** The complete campaign with the types and settings it is validated against, and whether a write to it is locked. */
export const campaignDetailSchema = z.object({
  edit: campaignEditSchema,
  readAtMs: z.number(),
  /** As in the list. */
  cached: z.object({ because: z.string(), next: z.string() }).nullable(),
  /** The proposal whose unknown outcome locks this campaign, or null. */
  lockedBy: z.string().nullable(),
  /** Proposals for this campaign that wait for a decision. */
  waiting: z.array(z.string()),
});

export type CampaignDetail = z.infer<typeof campaignDetailSchema>;

/** A decision that waits, with the campaigns that it may change. The title is made by the core. */
export const waitingDecisionSchema = z.object({ id: z.string(), title: z.string(), cids: z.array(z.int()) });

export type WaitingDecision = z.infer<typeof waitingDecisionSchema>;

/** A change of a campaign that was sent through this app. Title and proposer are inert foreign text. */
export const campaignChangeSchema = proposalSchema.pick({ id: true, title: true, state: true }).extend({
  by: askerSchema,
  /** When it was sent. */
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
      /** Through this app: the author's name is foreign text; `lastAtMs` is the newest change of them. */
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
  /** Number of campaigns that were looked at in full. */
  campaigns: z.int(),
  /** By list field, the values with the number of campaigns that have them, the most frequent first; countries also from the list. */
  lists: z.record(
    z.string(),
    z.array(z.object({ value: z.union([z.string(), z.number()]), campaigns: z.int() })),
  ),
  /** Macros of their addresses. */
  macros: z.array(z.object({ macro: z.string(), campaigns: z.int() })),
});

const pauseId = z.object({ proposalId: z.string().min(1).max(100) });

export const campaignsApi = {
  /** Pages of up to 200 rows; the renderer asks for those in view. */
  'campaigns.page': request(
    z.object({
      filter: campaignFilterSchema,
      page: z.int().min(listLimits.firstPage),
      perPage: z.int().min(listLimits.minPerPage).max(listLimits.maxPerPage),
    }),
    campaignPageSchema,
  ),
  /**
   * Changes of the active profile's campaigns that wait for a decision, newest first. A batch stands in for its members. Changes when
   * `proposals.changed` or `profiles.changed` is reported.
   */
  'campaigns.waiting': request(z.object({}), z.object({ items: z.array(waitingDecisionSchema) })),
  /**
   * Pauses of running campaigns of the active profile whose return is offered, newest first: with the campaigns that nothing changed
   * through this app since. Changes when `proposals.changed` or `profiles.changed` is reported.
   */
  'campaigns.returns': request(
    z.object({}),
    z.object({
      items: z.array(
        z.object({
          proposalId: z.string(),
          /** When it was verified. */
          atMs: z.number(),
          /** Number of campaigns that it paused. */
          pausedCount: z.int(),
          cids: z.array(z.int()),
        }),
      ),
    }),
  ),
  /**
   * One proposal that returns the campaigns of such a pause to the statuses they had, as an undo of the pause. It lists what has
   * another status now and stays. Fails with `nothing_to_reverse`, and then the offer ends; or as `campaigns.proposeStatus` does.
   */
  'campaigns.proposeReturn': request(pauseId, proposalSchema),
  'campaigns.dismissReturn': request(pauseId, z.object({})),
  /**
   * The last changes of a campaign of the active profile through this app, newest first, ten at most; the members of a batch stand for
   * it. Changes when `proposals.changed` is reported.
   */
  'campaigns.changes': request(z.object({ cid }), z.object({ items: z.array(campaignChangeSchema) })),
  /**
   * Campaigns by the status that they have, and by how they were stopped if they were, read now: what was stopped through this app
   * comes first. Fails with `campaign_not_found`, or as the reads do.
   */
  'campaigns.statusGroups': request(
    z.object({ cids: z.array(cid).min(1).max(maxFound) }),
    z.object({ groups: z.array(statusGroupSchema) }),
  ),
  /** Values to choose from, out of the reads that are kept: nothing is asked of the service. */
  'campaigns.values': request(z.object({}), campaignValuesSchema),
  'campaigns.get': request(z.object({ cid }), campaignDetailSchema),
  /** The types enabled for the tenant, for the type filter: code and name. Empty when no campaign could be read yet. */
  'campaigns.types': request(z.object({}), z.array(z.object({ code: z.int(), name: z.string() }))),
  /**
   * One proposal for one or many campaigns; the service takes them all or none. More than one write takes are one decision on several. `running` leaves out those that do not run, now or
   * when it is about to be sent.
   */
  'campaigns.proposeStatus': request(
    z.object({
      cids: z.array(cid).min(1).max(maxFound),
      status: z.int().min(0).max(4),
      meant: z.enum(['all', 'running']).exactOptional(),
    }),
    proposalSchema,
  ),
};
