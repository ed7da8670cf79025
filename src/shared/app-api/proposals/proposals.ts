import { z } from 'zod';
import { effectCertainties, factNames, warningCodes } from '../../wording/index.ts';
import { errorCodes } from '../../errors/index.ts';
import { proposalStates, maxWaitingMinutes, minWaitingMinutes } from '../../proposals/states.ts';
import { nothing, recordId as id, request, sentenceSchema, displayRequest } from '../define.ts';
import { creativePictureSchema } from '../campaigns/pictures.ts';
import { profileSchema } from '../profiles/session.ts';
import { beforeAfter, offsetSchema, shownProposalSchema, targetPageSchema, targetSchema } from './targets.ts';

export const changeViewSchema = z.object({
  field: z.string(),
  label: z.string(),
  before: z.string(),
  after: z.string(),
  delta: z.string().nullable(),
  factor: z.string().nullable(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  isNamedInFull: z.literal(true).exactOptional(),
  schedule: z.object({ before: z.array(z.int()), after: z.array(z.int()) }).nullable(),
});

/** A fact about the campaigns that a change touches. The core words it from what it read for the proposal. */
export const factSchema = z.object({
  fact: z.enum([...factNames, 'lastChange']),
  label: z.string(),
  value: z.string(),
  before: z.string().exactOptional(),
});

const severity = z.enum(['notice', 'warning', 'danger']);

export const warningSchema = z.object({
  code: z.enum(warningCodes),
  severity,
  text: sentenceSchema,
});

export const fieldVerdictSchema = z.object({
  field: z.string(),
  label: z.string(),
  /** `left`: not sent, because the field no longer needed a change. */
  verdict: z.enum(['stored', 'normalised', 'different', 'unknown', 'left']),
  sent: z.string(),
  found: z.string(),
});

export const operationNames = [
  'campaign.update',
  'campaign.status',
  /** A call of one of the service's tools, by an agent or by the app itself for a scheduled task. */
  'tool.call',
  /** Admits an agent. The app records it; the service is not involved. */
  'agent.admit',
  'batch',
] as const;

export const askerKind = z.enum(['person', 'agent', 'schedule']);

export const askerSchema = z.object({ kind: askerKind, name: z.string() });

const outcomeSchema = z.object({ code: z.enum(errorCodes), message: sentenceSchema, next: sentenceSchema });

export const batchMemberSchema = z.object({
  id: z.string(),
  fingerprint: z.string(),
  title: sentenceSchema,
  state: z.enum(proposalStates),
  targets: z.array(targetSchema),
  changes: z.array(changeViewSchema),
  quotation: z.string().nullable(),
  perDay: beforeAfter,
  /** Remarks on this change only: warnings that no line above attributes to it, and limits of its figures. */
  remarks: z.array(warningSchema.omit({ code: true })),
  outcome: outcomeSchema.nullable(),
});

const argumentPictureSchema = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  /** Base64 by RFC 4648 §4, as it is sent. */
  base64: z.string(),
});

export const proposalDetailSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('campaigns') }),
  z.object({
    kind: z.literal('tool'),
    name: z.string(),
    title: z.string().nullable(),
    definitionHash: z.string(),
    effect: z.enum(effectCertainties),
    /**
     * The kind of call that the core recognises. `update` and `status` are shown with the campaign and every field, `arguments`
     * only with its arguments.
     */
    known: z.enum(['update', 'status', 'campaign', 'task', 'upload', 'arguments']),
    prepared: z.boolean(),
    /** All arguments, inert. A picture appears as its size and hash. */
    args: z.array(
      z.object({ path: z.string(), value: z.string(), picture: argumentPictureSchema.optional() }),
    ),
  }),
  z.object({
    kind: z.literal('admission'),
    /** The host of the agent's redirect address: `127.0.0.1`, `localhost`, or another host. */
    redirectHost: z.string(),
    words: z.string(),
    scopes: z.array(z.object({ name: z.string(), title: z.string(), allows: z.string() })),
    until: z.string(),
  }),
  z.object({
    kind: z.literal('batch'),
    equally: sentenceSchema,
    members: z.array(batchMemberSchema),
    askedBy: z.array(askerSchema),
    /** Number of campaigns that change. Present if all members change statuses: they are worded as one change. */
    campaignCount: z.int().exactOptional(),
    skipped: z.array(z.object({ what: sentenceSchema, because: sentenceSchema })),
  }),
]);

export type ProposalDetail = z.infer<typeof proposalDetailSchema>;

export const undoSchema = z.object({
  undoes: z.string().nullable(),
  /** The proposal that undoes this one, whatever its state. Null if there is none. */
  undoneBy: z.object({ id: z.string(), state: z.enum(proposalStates) }).nullable(),
  canUndo: z.boolean(),
});

export type UndoView = z.infer<typeof undoSchema>;

export const proposalSchema = z.object({
  id: z.string(),
  operation: z.enum(operationNames),
  state: z.enum(proposalStates),
  title: sentenceSchema,
  profile: profileSchema,
  proposedBy: z.object({
    /** `schedule`: a scheduled task that became due. `name` is then the task's name, which is untrusted text. */
    kind: askerKind,
    name: z.string(),
    sinceMs: z.number().nullable(),
    /** The agent's id. Null for a person and for an agent that is not admitted yet. */
    agentId: z.string().nullable(),
  }),
  detail: proposalDetailSchema,
  /** All undecided proposals of this profile, including this one. Null if this one is alone or decided. */
  queue: z
    .object({
      count: z.int(),
      perDay: beforeAfter,
      /** Number of campaigns that are unlimited before and after. The sum excludes them. Absent if there are none. */
      alwaysUnlimited: z.int().exactOptional(),
    })
    .nullable(),
  quotation: z.string().nullable(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** From then on the service's approval is too short to send, so prepare again first. Absent if none is needed. */
  approvalEndsAtMs: z.number().exactOptional(),
  /** Present while Prepare again may find the same change: this proposal expired undecided, or its approval is about to end. */
  canPrepareAgain: z.literal(true).exactOptional(),
  updatedAtMs: z.number(),
  targets: z.array(targetSchema),
  /** Present if the campaigns are read in pages. `targets`, here and in the members, is then empty. */
  listed: z.object({ campaigns: z.int(), changing: z.int() }).exactOptional(),
  risk: z.object({
    perDay: beforeAfter,
    untilEnd: beforeAfter,
    /** Number of campaigns whose figures are summed: those that change. Absent for one campaign. */
    campaignCount: z.int().exactOptional(),
    alwaysUnlimited: z.object({ perDay: z.int(), untilEnd: z.int() }).exactOptional(),
    /** The most dangerous change, if no money figure shows it: a host, hours, an end. `isQuiet`: smaller size. */
    headline: z
      .object({
        label: z.string(),
        /** Absent for a figure without a previous value, such as the number of campaigns that a call names. */
        before: z.string().exactOptional(),
        after: z.string(),
        /** Present if it says more than both sides do: `−167 h`, `− BR`. */
        delta: z.string().exactOptional(),
        isQuiet: z.literal(true).exactOptional(),
      })
      .exactOptional(),
    /** For example `×10`. Null if the bid does not change. */
    bidFactor: z.string().nullable(),
    notes: z.array(sentenceSchema),
  }),
  warnings: z.array(warningSchema),
  /** A value that the person has to type before Approve is enabled. Null if no warning demands it. */
  typeToConfirm: z.object({ label: z.string(), value: z.string() }).nullable(),
  changes: z.array(changeViewSchema),
  facts: z.array(factSchema),
  pictures: z.array(creativePictureSchema).exactOptional(),
  unchanged: z.array(z.object({ field: z.string(), label: z.string(), value: z.string() })),
  /** The exact canonical bytes that will be sent, as text. */
  payload: z.string(),
  fingerprint: z.string(),
  undo: undoSchema.exactOptional(),
  /** Present if this replaces an outdated proposal: what changed at the service, and how often it was replaced. */
  rebase: z
    .object({
      of: z.string(),
      /** Present if a person had the change prepared again, because its time or the service's approval had ended. */
      preparedAgain: z.literal(true).exactOptional(),
      round: z.int(),
      moved: z.array(changeViewSchema),
      /** Fields that differ in every read. Approving sends the displayed value. */
      volatile: z.array(z.string()),
    })
    .nullable(),
  /** Set if a field of this change also changed at the service: earlier value, mine, theirs. Then outdated. */
  conflict: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      base: z.string(),
      mine: z.string(),
      theirs: z.string(),
    }),
  ),
  replacedBy: z.string().nullable(),
  verdicts: z.array(fieldVerdictSchema),
  outcome: outcomeSchema.nullable(),
  reason: z.string().nullable(),
  /** When payload, targets, changes and verdicts were removed, so that no undo is possible. Null before. */
  prunedAtMs: z.number().nullable(),
});

export type ProposalView = z.infer<typeof proposalSchema>;

export const proposalSummarySchema = proposalSchema
  .pick({
    id: true,
    operation: true,
    state: true,
    title: true,
    profile: true,
    proposedBy: true,
    createdAtMs: true,
    expiresAtMs: true,
    approvalEndsAtMs: true,
    updatedAtMs: true,
    outcome: true,
    replacedBy: true,
  })
  .extend({
    targetCount: z.int(),
    perDay: beforeAfter,
    worstWarning: severity.nullable(),
    /** Proposals with equal keys make an equal change and may be decided together. Null for a proposal decided alone. */
    groupKey: z.string().nullable(),
    /** The change that all members of such a group make, for example `Lower bids by 10%`. */
    groupTitle: sentenceSchema.nullable(),
    askedBy: z.array(askerSchema).nullable(),
  });

export type ProposalSummary = z.infer<typeof proposalSummarySchema>;

/** How long a change waits for a decision, in minutes: from ten minutes to a week. */
export const waitingMinutesSchema = z.int().min(minWaitingMinutes).max(maxWaitingMinutes);

/** A filter by proposer. For `agent`: the agent with this id, or with null all agents that are not admitted yet. */
const proposerSchema = proposalSchema.shape.proposedBy.pick({ kind: true, agentId: true });

export type ProposerFilter = z.infer<typeof proposerSchema>;

const waitingTime = z.object({ minutes: waitingMinutesSchema });

export const proposalsApi = {
  /**
   * `waiting` lists all unsettled proposals by `order` (newest first, or by risk) and `by`. `past` is newest first. The
   * page begins after `before`.
   */
  'proposals.list': request(
    z.object({
      which: z.enum(['waiting', 'past']),
      before: z.string().nullable(),
      limit: z.int().min(1).max(200),
      order: z.enum(['risk', 'newest']).exactOptional(),
      by: proposerSchema.exactOptional(),
    }),
    z.object({
      items: z.array(proposalSummarySchema),
      total: z.int(),
      /**
       * For `waiting`, the proposers of all unsettled proposals regardless of the filter, each with the number of its
       * changes. Absent for `past`.
       */
      proposers: z.array(proposerSchema.extend({ name: z.string(), count: z.int() })).exactOptional(),
    }),
  ),
  'proposals.get': request(z.object({ id }), proposalSchema),
  'proposals.targets': request(z.object({ id, from: offsetSchema }), targetPageSchema),
  /**
   * Shows the proposal. `address` is for hosts that cannot open a window. If the service's approval has ended, the
   * change is prepared again first.
   */
  'proposals.review': displayRequest(
    z.object({ id }),
    shownProposalSchema.extend({ id: z.string().exactOptional() }),
  ),
  /**
   * Prepares the same change from a fresh read and shows it. Fails with `prepare_again_impossible`, or as the service
   * or the limits refuse.
   */
  'proposals.prepareAgain': displayRequest(z.object({ id }), shownProposalSchema),
  /**
   * Proposes the values from before this change, and shows that proposal. Skips fields that others have changed since.
   * Fails with `nothing_to_reverse` or `undo_impossible`.
   */
  'proposals.undo': displayRequest(z.object({ id }), shownProposalSchema),
  'proposals.waitingTime': request(nothing, waitingTime),
  'proposals.setWaitingTime': request(waitingTime, waitingTime),
  /** Combines these undecided proposals into one batch and shows it as `proposals.review` does. Fails with `batch_unequal`. */
  'proposals.reviewTogether': displayRequest(
    z.object({ ids: z.array(id).min(2).max(200) }),
    shownProposalSchema,
  ),
  'proposals.withdraw': request(z.object({ id }), proposalSchema),
  'proposals.settle': request(z.object({ id }), proposalSchema),
};
